"""`keng recipe`: the right way as whole programs. There is none yet."""

from __future__ import annotations

from keng.faces.options import Parser
from keng.report.words import Words


def main(args: list[str]) -> int:
    parser = Parser("recipe", "List the recipes.")
    parser.add_argument("--json", action="store_true")
    parser.add_look()
    options = parser.parse(args)
    print("[]" if options.json else Words(options.lang)("no_recipes"))
    return 0
