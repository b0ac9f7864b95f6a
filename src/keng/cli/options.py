"""What the commands' options have in common."""

from __future__ import annotations

import argparse
import os
import re
import sys

from keng.cli.commands import Usage, nearest
from keng.report.screen import width_of_terminal
from keng.report.words import LANGUAGES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, with the nearest right word."""

    def __init__(self, command: str, about: str) -> None:
        super().__init__(
            f"keng {command}", description=about, formatter_class=_help, allow_abbrev=False
        )
        self.command = command

    def add_look(self) -> None:
        self.add_argument("--lang", choices=LANGUAGES, default=locale(), help="language")
        self.add_argument("--color", choices=("auto", "always", "never"), default="auto")

    def add_force(self) -> None:
        what = "replace a file that OUT names"
        self.add_argument("--force", action="store_true", help=what)

    def add_choice(self) -> None:
        what = "names of pitfalls or groups, or `all`, with commas between"
        self.add_list("--select", "NAMES", f"look only for these: {what}")
        self.add_list("--ignore", "NAMES", f"leave these out: {what}")
        self.add_suspicious()

    def add_suspicious(self) -> None:
        self.add_argument("--suspicious", action="store_true", help="show what is not sure as well")

    def add_list(self, option: str, metavar: str, what: str) -> None:
        """An option that may be given more than once."""
        self.add_argument(option, action="append", default=[], metavar=metavar, help=what)

    def parse(self, args: list[str]) -> argparse.Namespace:
        # Options may stand between files, where no `--` makes files of what begins like an option.
        parse = self.parse_known_args if "--" in args else self.parse_known_intermixed_args
        options, unknown = parse(args)
        if unknown:
            word = unknown[0].partition("=")[0]
            if not word.startswith("-"):
                raise Usage(f"{self.command}: one argument too many: {word}")
            raise Usage(f"{self.command}: no option {word}{nearest(word, self.options)}")
        return options

    @property
    def options(self) -> list[str]:
        return list(self._option_string_actions)

    @property
    def options_with_value(self) -> set[str]:
        actions = self._option_string_actions
        return {option for option, action in actions.items() if action.nargs is None}

    def error(self, message: str) -> NoReturn:
        wrong = re.match(r"argument (\S+): invalid choice: '(.*?)' \(choose from (.*)\)", message)
        if wrong:
            words = re.findall(r"[\w-]+", wrong[3])
            instead = nearest(wrong[2], words) or f", but {' or '.join(words)}"
            message = f"{wrong[1]} cannot be `{wrong[2]}`{instead}"
        if number := re.match(r"argument (\S+): invalid (int|float) value: '(.*)'", message):
            kind = "a whole number" if number[2] == "int" else "a number"
            message = f"{number[1]} must be {kind}, not `{number[3]}`"
        message = re.sub(r"^argument (\S+): ", r"\1 ", message)
        raise Usage(f"{self.command}: {message}")


def _help(prog: str) -> argparse.HelpFormatter:
    """Without a width it imports shutil to ask for one, even where nobody asks for help."""
    return argparse.HelpFormatter(prog, width=width_of_terminal(sys.stdout))


def language(args: list[str]) -> str:
    """That of a command line which may be wrong."""
    asked = re.search(rf"(?:^| )--lang[ =]({'|'.join(LANGUAGES)})(?= |$)", " ".join(args))
    return asked[1] if asked else locale()


def locale() -> str:
    """The language that the environment asks for."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(name):
            return "zh" if value.lower().startswith("zh") else "en"
    return "en"
