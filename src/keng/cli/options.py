"""What the commands' options have in common."""

from __future__ import annotations

import argparse
import os
import re
import sys

from keng._util.settings import of_here
from keng._util.texts import LANGUAGES, sentence
from keng.cli.commands import nearest, refused
from keng.report.screen import width_of_terminal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


Options = argparse._ActionsContainer
"""A parser, or a group of its options."""


def add_suspicious(options: Options) -> None:
    flag(options, "--suspicious", "report uncertain findings too")


def add_key(options: Options, what: str = "which state dict, for example `ema`") -> None:
    """Which part of a checkpoint is meant."""
    options.add_argument("--key", default="", metavar="NAME", help=what)


def add_quiet(options: Options, what: str) -> None:
    options.add_argument("-q", "--quiet", action="store_true", help=what)


def add_list(options: Options, option: str, metavar: str, what: str) -> None:
    """An option that may be given more than once."""
    options.add_argument(option, action="append", default=[], metavar=metavar, help=what)


def flag(options: Options, option: str, what: str) -> None:
    options.add_argument(option, action="store_true", help=what)


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, with the nearest right word."""

    def __init__(self, command: str, about: str, examples: str = "") -> None:
        epilog = f"examples:\n{examples.strip(chr(10))}" if examples else None
        super().__init__(
            f"keng {command}",
            description=about,
            epilog=epilog,
            formatter_class=_help,
            allow_abbrev=False,
        )
        self.command = command
        self._needs_out: bool | None = None  # of a command that has no OUT
        self._output: Options | None = None

    def format_help(self) -> str:
        """The examples keep their lines, the description is wrapped. The options on output are the last
        group. The address of the documentation follows where it is known."""
        from textwrap import fill

        from keng._util import addresses

        self.description = fill(self.description or "", width_of_terminal(sys.stdout))
        self._action_groups.sort(key=lambda group: group is self._output)
        text = super().format_help()
        address = addresses.documentation()
        return f"{text}\ndocumentation: {address}\n" if address else text

    def add_output(self) -> Options:
        """The group of options on output, which is one."""
        if self._output is None:
            self._output = self.add_argument_group("output")
        return self._output

    def add_look(self) -> None:
        """The language and the colors, next to the other options on output."""
        output = self.add_output()
        output.add_argument(
            "--lang", choices=LANGUAGES, default=locale(), help="English or Chinese"
        )
        output.add_argument(
            "--color",
            choices=("auto", "always", "never"),
            default="auto",
            help="use colors; auto: on a terminal, unless NO_COLOR is set",
        )

    def add_out(self, what: str, *, needed: bool = True) -> None:
        """OUT, the file or folder that a command writes: its last argument, or the value of -o."""
        self._needs_out = needed
        self.add_argument("out", nargs="?", metavar="OUT", help=what)
        output = self.add_output()
        output.add_argument("-o", "--output", metavar="OUT", help="the same as OUT")
        flag(output, "--force", "overwrite OUT")

    def add_choice(self) -> Options:
        """Which pitfalls are wanted."""
        choice = self.add_argument_group("selection")
        what = "NAMES are pitfalls, groups or `all`, separated by commas"
        add_list(choice, "--select", "NAMES", f"report only these; {what}")
        add_list(choice, "--ignore", "NAMES", "do not report these")
        add_suspicious(choice)
        return choice

    def parse(self, args: list[str]) -> argparse.Namespace:
        # Options may stand between files, where no `--` makes files of what begins like an option.
        parse = self.parse_known_args if "--" in args else self.parse_known_intermixed_args
        options, unknown = parse(args)
        if unknown:
            word = unknown[0].partition("=")[0]
            if not word.startswith("-"):
                raise refused(self.command, sentence("argument_too_many", word=word))
            near = nearest(word, self.options)
            raise refused(self.command, sentence("no_option", option=word, nearest=near))
        if self._needs_out is not None:
            options.out = self._out(options)
        return options

    def _out(self, options: argparse.Namespace) -> str:
        """Raises Usage where OUT is given in both ways, or is needed and not given."""
        given = [each for each in (options.out, options.output) if each is not None]
        if len(given) > 1:
            raise refused(self.command, sentence("not_together", one="OUT", other="-o"))
        if self._needs_out and not given:
            raise refused(self.command, sentence("arguments_required", names="OUT"))
        return given[0] if given else ""

    @property
    def options(self) -> list[str]:
        return list(self._option_string_actions)

    @property
    def options_with_value(self) -> set[str]:
        actions = self._option_string_actions
        return {option for option, action in actions.items() if action.nargs is None}

    def error(self, message: str) -> NoReturn:
        raise refused(self.command, _wrong(message))


def _wrong(message: str) -> str:
    """What argparse says is wrong, in keng's words."""
    found = re.match(r"argument (\S+): (.*)", message, re.DOTALL)
    if found is None:
        required = re.match(r"the following arguments are required: (.*)", message)
        return sentence("arguments_required", names=required[1]) if required else message
    option, why = found.groups()
    if choice := re.match(r"invalid choice: '(.*?)' \(choose from (.*)\)", why):
        words = re.findall(r"[\w-]+", choice[2])
        near = nearest(choice[1], words)
        if near:
            return sentence("no_such_choice", option=option, word=choice[1], nearest=near)
        return sentence("not_among", option=option, word=choice[1], words=" or ".join(words))
    value = re.match(r"invalid (\w+) value: '(.*)'", why)
    if value and value[1] in WANTED:
        return sentence(WANTED[value[1]], option=option, text=value[2])
    if why == "expected one argument":
        return sentence("needs_a_value", option=option)
    if why.startswith("ignored explicit argument"):
        return sentence("takes_no_value", option=option)
    return f"{option} {why}"


def seconds(text: str) -> float:
    """A time above 0. Raises ValueError."""
    number = float(text)
    if not 0 < number < float("inf"):
        raise ValueError
    return number


def count(text: str) -> int:
    """A whole number above 0. Raises ValueError."""
    if not text.isdecimal() or not int(text):
        raise ValueError
    return int(text)


WANTED = {
    "int": "not_an_integer",
    "float": "not_a_number",
    "seconds": "not_seconds",
    "count": "not_count",
    "size": "not_size",
    "shard": "not_shard",
}
"""The text for a wrong value, by the function that reads values of the option."""


def _help(prog: str) -> argparse.HelpFormatter:
    """Without a width it imports shutil to ask for one, even where nobody asks for help."""
    width = width_of_terminal(sys.stdout)
    return argparse.RawDescriptionHelpFormatter(prog, width=width, max_help_position=28)


def language(args: list[str]) -> str:
    """That of a command line which may be wrong."""
    asked = re.search(rf"(?:^| )--lang[ =]({'|'.join(LANGUAGES)})(?= |$)", " ".join(args))
    return asked[1] if asked else locale()


def locale() -> str:
    """The language that the configuration names, or the environment asks for."""
    if (wanted := configured("lang")) in LANGUAGES:
        return str(wanted)
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(name):
            return "zh" if value.lower().startswith("zh") else "en"
    return "en"


def configured(key: str) -> object:
    """What the configuration of the current folder says; None where it says nothing."""
    _, tables = of_here() or ("", {})
    return tables.get(key)
