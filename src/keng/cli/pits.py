"""`keng pits`: the pitfalls by group, those that match a query, or the page of one."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from keng import pitfalls, recipes
from keng._util.texts import sentence
from keng.cli import pager
from keng.cli.commands import nearest, refused
from keng.cli.options import Parser, flag
from keng.cli.page import show_page, surfaces
from keng.model import SEVERITIES, SURFACES, Diagnosis, Pitfall
from keng.pitfalls.page import page_of
from keng.report import records
from keng.report.screen import Line, Piece, Screen, paragraph, width_of_terminal
from keng.report.words import Words

EXAMPLES = """
  keng pits                                 list all pitfalls
  keng pits nan                             search them
  keng pits "loss does not decrease"
  keng pits --group data --surface check    list some of them
  keng pits eval-mode-missing               print the page of one
"""
SHOWN = 8
"""Pitfalls that a search shows: one screen."""


def parser() -> Parser:
    parser = Parser("pits", "List the pitfalls, or search them.", EXAMPLES)
    parser.add_argument(
        "query", nargs="*", help="words to search for, a group, or a pitfall's name"
    )
    choice = parser.add_argument_group("selection")
    choice.add_argument("--group", help="only this group")
    choice.add_argument("--surface", choices=SURFACES, help="only those that this command reports")
    choice.add_argument("--severity", choices=SEVERITIES, help="only those of this severity")
    output = parser.add_output()
    flag(output, "--all", "with the name of a pitfall: print its whole page")
    flag(output, "--json", "print JSON")
    parser.add_look()
    return parser


def main(args: list[str]) -> int:
    options = parser().parse(args)
    query = " ".join(options.query)
    if options.group is None and pitfalls.is_known(query):
        show_page(query, options)
        return 0
    if options.group is None and query in pitfalls.groups():
        options.group, query = query, ""
    if options.group is not None and options.group not in pitfalls.groups():
        near = nearest(options.group, pitfalls.groups())
        raise refused("pits", sentence("no_group", group=options.group, nearest=near))
    wanted = [each for each in _asked(query) if _is_wanted(each, options)]
    if options.json:
        print(json.dumps(list(_records(wanted, options.lang)), indent=2))
    elif query:
        show_found(wanted, options)
    else:
        _show_all(wanted, options)
    return 0 if wanted else 1


def _asked(query: str) -> Iterator[Pitfall]:
    if not query:
        return pitfalls.every()
    from keng.explain.engine import explain_text

    diagnoses = explain_text(query).diagnoses if " " in query else ()
    return map(pitfalls.pitfall, found(query, diagnoses))


def found(query: str, diagnoses: Iterable[Diagnosis]) -> list[str]:
    """The pitfalls that match, the best first. Those that explain the query as an error come before."""
    from keng.pitfalls.search import search

    explained = (each.pitfall for each in diagnoses)
    return list(dict.fromkeys([*explained, *(each.name for each in search(query))]))


def _is_wanted(pitfall: Pitfall, options: argparse.Namespace) -> bool:
    return (
        options.group in (None, pitfall.group)
        and options.severity in (None, pitfall.severity)
        and (options.surface is None or options.surface in pitfall.surfaces)
    )


def _records(wanted: Sequence[Pitfall], lang: str) -> Iterator[records.Record]:
    avoiding = recipes.avoiding()
    for each in wanted:
        yield records.of_pitfall(each, _title(each, lang), surfaces(each, avoiding))


def show_found(wanted: Sequence[Pitfall], options: argparse.Namespace) -> None:
    """The best matches, on one screen."""
    words, screen, avoiding = (
        Words(options.lang),
        Screen(sys.stdout, options.color),
        recipes.avoiding(),
    )
    if not wanted:
        screen.show([[Piece(words("no_match"), "warning")]])
        return
    for pitfall in wanted[:SHOWN]:
        met = ", ".join(surfaces(pitfall, avoiding))
        head = [Piece(pitfall.name, "command"), Piece(f" ({met})", "dim")]
        screen.show([head, *paragraph(_title(pitfall, words.lang), screen.width, [Piece("  ")])])
    if len(wanted) > SHOWN:
        screen.show([[Piece(words("cut", len(wanted) - SHOWN), "dim")]])
    screen.show([[], [Piece(words("read_page", name=wanted[0].name), "dim")]])


def _show_all(wanted: Sequence[Pitfall], options: argparse.Namespace) -> None:
    words, avoiding = Words(options.lang), recipes.avoiding()
    width = width_of_terminal(sys.stdout)
    lines: list[Line] = []
    for group, members in groupby(wanted, key=lambda each: each.group):
        lines.append([Piece(group, "name")])
        for pitfall in members:
            met = ", ".join(surfaces(pitfall, avoiding))
            lines.append([Piece("  "), Piece(pitfall.name, "command"), Piece(f" ({met})", "dim")])
            lines += paragraph(_title(pitfall, words.lang), width, [Piece("    ")])
    pager.show([*lines, [], [Piece(words("pitfalls", len(wanted)), "name")]], options.color)


def _title(pitfall: Pitfall, lang: str) -> str:
    return pitfall.title if lang == "en" else page_of(pitfall, lang).title
