"""What the exams of planted faults share on the command line: options, the choice of mutants, tables, and
differences."""

from __future__ import annotations

import argparse
import difflib
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Protocol, TypeVar

from evals.mutations.rows import HALVES


class Mutant(Protocol):
    @property
    def id(self) -> str: ...
    @property
    def half(self) -> str: ...
    @property
    def operator(self) -> str: ...


Chosen = TypeVar("Chosen", bound=Mutant)


def parser(module: str, description: str | None, **before: str) -> argparse.ArgumentParser:
    """The arguments of all exams; `before` are those that come before the ids, with their help."""
    made = argparse.ArgumentParser(
        prog=f"python -m {module}",
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("command", choices=("draw", "run", "show"))
    for name, help in before.items():
        made.add_argument(name, help=help)
    made.add_argument("ids", nargs="*", help="only these mutants")
    made.add_argument("--half", choices=(*HALVES, "both"), default="tune")
    made.add_argument("--only", action="append", help="only this operator; may be repeated")
    made.add_argument(
        "--details", action="store_true", help="print each mutant, or those of `tune`"
    )
    return made


def add_mirrors(made: argparse.ArgumentParser) -> None:
    there = Path(os.environ.get("KENG_MIRRORS", "mirrors"))
    made.add_argument("--mirrors", type=Path, default=there)


def chosen(every: Iterable[Chosen], options: argparse.Namespace) -> list[Chosen]:
    """The mutants that the options ask for."""
    by_half = [m for m in every if options.half in ("both", m.half)]
    named = [m for m in by_half if not options.only or m.operator in options.only]
    return [m for m in named if m.id in options.ids] if options.ids else named


def row(name: str, half: str, count: Counter[str], of: int, words: Sequence[str]) -> str:
    """A line of a table, as TOML: `name.half = { of = 3, named = 1 }`."""
    seen = ", ".join(f"{word} = {count[word]}" for word in words)
    return f"{name}.{half} = {{ of = {of}, {seen} }}"


def print_difference(names: tuple[str, str], before: bytes, after: bytes, context: int) -> None:
    lines = [text.decode("utf8", "replace").splitlines() for text in (before, after)]
    print(*difflib.unified_diff(*lines, *names, lineterm="", n=context), sep="\n")
