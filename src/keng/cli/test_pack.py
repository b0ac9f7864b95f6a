"""`keng test-pack`: whether what the pitfalls of a rule pack claim in their folders is true."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterator

from keng import pitfalls
from keng._util.texts import sentence
from keng.cli.commands import refused
from keng.cli.options import Parser
from keng.model import Pitfall
from keng.pitfalls import packs
from keng.report.screen import Line, Piece, Screen
from keng.report.words import Words

EXAMPLES = """
  keng test-pack                    test the packs of the project
  keng test-pack pits               test a folder
  keng test-pack pits -k my-pitfall
"""


def parser() -> Parser:
    about = (
        "Test the pitfalls of a rule pack: bad programs are reported exactly at their marks, "
        "good ones by no pitfall, fixes repair, messages are explained. It runs the programs, "
        "and needs torch."
    )
    parser = Parser("test-pack", about, EXAMPLES)
    parser.add_argument(
        "folder", nargs="?", help="a pack, or a project that names its packs (the current one)"
    )
    parser.add_argument("-k", dest="name", default="", metavar="NAME", help="only these pitfalls")
    parser.add_look()
    return parser


def main(args: list[str]) -> int:
    options = parser().parse(args)
    homes = _homes(options.folder)
    # Programs run elsewhere, and may import modules of the project.
    sys.path += [os.getcwd(), *([os.path.abspath(options.folder)] if options.folder else [])]
    units = [u for u in pitfalls.every() if _home_of(u) in homes and options.name in u.name]
    if not units:
        raise refused("test-pack", sentence("pack_without_pitfalls", folder=", ".join(homes)))
    words, screen = Words(options.lang), Screen(sys.stdout, options.color)
    results: Counter[str] = Counter()
    for unit in units:
        for result, line in _tested(unit, words):
            results[result] += 1
            screen.show([line] if line else [])
    screen.show([[Piece(words("pack_tested", len(units), **_counts(results)), "name")]])
    return 1 if results["failed"] else 0


def _homes(folder: str | None) -> list[str]:
    """The folders of the packs, which are active from here on, in the processes of their programs too."""
    if folder is not None:
        home = os.path.abspath(folder)
        if not os.path.isdir(home):
            raise refused("test-pack", sentence("no_such_folder"), folder)
        homes = [pack.home for pack in packs.named_in(home)] or [home]
    else:
        homes = [pack.home for pack in packs.of_project()]
    if not homes:
        raise refused("test-pack", sentence("which_pack"))
    os.environ[packs.MORE] = os.pathsep.join(homes)
    pitfalls.forget()
    return homes


def _home_of(unit: Pitfall) -> str:
    return os.path.dirname(os.path.dirname(unit.folder))


def _tested(unit: Pitfall, words: Words) -> Iterator[tuple[str, Line]]:
    """For each claim of a pitfall whether it is true ("passed", "failed", "excused"), and what is
    shown of that."""
    from keng.battery.claims import tested

    for claim, result, why in tested(unit):
        if result == "passed":
            yield result, []
        else:
            role = "error" if result == "failed" else "dim"
            yield result, [Piece(f"{words(result)} ", role), Piece(f"{unit.name}: {claim}: {why}")]


def _counts(results: Counter[str]) -> dict[str, object]:
    return {name: results[name] for name in ("passed", "failed", "excused")}
