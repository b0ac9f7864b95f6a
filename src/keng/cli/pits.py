"""`keng pits`: the pitfalls, by group, or the page of one."""

from __future__ import annotations

import json
import sys
from itertools import groupby

from keng import pitfalls as catalog
from keng import recipes
from keng.cli.commands import Usage, nearest
from keng.cli.options import Parser
from keng.cli.page import show_page, surfaces
from keng.model import Pitfall
from keng.pitfalls.page import page_of
from keng.report import records
from keng.report.screen import Piece, Screen, paragraph


def parser() -> Parser:
    parser = Parser("pits", "List the pitfalls.")
    parser.add_argument("--json", action="store_true", help="as JSON")
    parser.add_argument("--group", help="only this group")
    parser.add_argument("name", nargs="?", help="a group, or a pitfall, whose page is shown")
    parser.add_look()
    return parser


def main(args: list[str]) -> int:
    options = parser().parse(args)
    group, names = options.group or options.name, catalog.names()
    if options.group is None and group is not None and catalog.is_known(group):
        show_page(group, options)
        return 0
    if group is not None and group not in catalog.groups():
        kind, known = ("group", []) if options.group else ("group or pitfall", names)
        near = nearest(group, [*catalog.groups(), *known])
        raise Usage(f"pits: no {kind} `{group}`{near}")
    pitfalls = [p for p in catalog.every() if group in (None, p.group)]
    titles = {p.name: _title(p, options.lang) for p in pitfalls}
    avoiding = recipes.avoiding()
    met = {p.name: surfaces(p, avoiding) for p in pitfalls}
    if options.json:
        every = [records.of_pitfall(p, titles[p.name], met[p.name]) for p in pitfalls]
        print(json.dumps(every, indent=2))
        return 0
    screen = Screen(sys.stdout, options.color)
    for group, members in groupby(pitfalls, key=lambda p: p.group):
        screen.show([[Piece(group, "name")]])
        for pitfall in members:
            head = [
                Piece("  "),
                Piece(pitfall.name, "command"),
                Piece(f" ({', '.join(met[pitfall.name])})", "dim"),
            ]
            screen.show([head, *paragraph(titles[pitfall.name], screen.width, [Piece("    ")])])
    return 0


def _title(pitfall: Pitfall, lang: str) -> str:
    return pitfall.title if lang == "en" else page_of(pitfall, lang).title
