"""What the commands' options have in common."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Iterable
from typing import NoReturn

from keng import catalog
from keng.faces.cli import Usage, nearest
from keng.model import Pitfall
from keng.report.words import LANGUAGES


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, with the nearest right word."""

    def __init__(self, command: str, about: str) -> None:
        super().__init__(f"keng {command}", description=about, allow_abbrev=False)
        self.command = command

    def add_look(self) -> None:
        self.add_argument("--lang", choices=LANGUAGES, default=locale(), help="language")
        self.add_argument("--color", choices=("auto", "always", "never"), default="auto")

    def add_choice(self) -> None:
        for option, what in (("--select", "look only for these"), ("--ignore", "leave these out")):
            self.add_argument(
                option,
                action="append",
                default=[],
                metavar="NAMES",
                help=f"{what}: names of pitfalls or groups, or `all`, with commas between",
            )
        self.add_argument("--suspicious", action="store_true", help="show what is not sure as well")

    def parse(self, args: list[str]) -> argparse.Namespace:
        options, unknown = self.parse_known_args(args)
        if unknown:
            word = unknown[0].partition("=")[0]
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
            message = f"{wrong[1]} cannot be `{wrong[2]}`{nearest(wrong[2], words)}"
        raise Usage(f"{self.command}: {message}")


def locale() -> str:
    """The language that the environment asks for."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(name):
            return "zh" if value.lower().startswith("zh") else "en"
    return "en"


def chosen(select: Iterable[str], ignore: Iterable[str]) -> list[Pitfall]:
    """The pitfalls that `--select` and `--ignore` leave."""
    every = list(catalog.every())
    wanted = _named(select, every) if select else set(every_name(every))
    return [p for p in every if p.name in wanted - _named(ignore, every)]


def every_name(pitfalls: Iterable[Pitfall]) -> list[str]:
    return [pitfall.name for pitfall in pitfalls]


def _named(lists: Iterable[str], every: list[Pitfall]) -> set[str]:
    """The names of pitfalls that are meant by names, groups and `all`."""
    found: set[str] = set()
    for word in [word.strip() for text in lists for word in text.split(",") if word.strip()]:
        meant = {p.name for p in every if word in ("all", p.name, p.group)}
        if not meant and word not in catalog.groups():
            words = [*every_name(every), *catalog.groups(), "all"]
            raise Usage(f"no pitfall or group `{word}`{nearest(word, words)}")
        found |= meant
    return found
