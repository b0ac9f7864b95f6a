"""The page of one pitfall, as `keng explain NAME` and `keng pits NAME` print it."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping

from keng import pitfalls, recipes
from keng.cli import pager
from keng.model import Pitfall
from keng.pitfalls.page import page_of
from keng.report import pages, records
from keng.report.screen import width_of_terminal
from keng.report.words import Words


def show_page(name: str, options: argparse.Namespace) -> None:
    pitfall = pitfalls.pitfall(name)
    page = page_of(pitfall, options.lang)
    avoiding = recipes.avoiding()
    if options.json:
        record = records.of_pitfall(pitfall, page.title, surfaces(pitfall, avoiding))
        print(json.dumps({**record, "why": page.why, "cure": page.cure}, indent=2))
        return
    width, words = width_of_terminal(sys.stdout), Words(options.lang)
    lines = pages.page(pitfall, page, avoiding.get(name, []), words, width, options.all)
    pager.show(lines, options.color)


def surfaces(pitfall: Pitfall, avoiding: Mapping[str, list[str]]) -> list[str]:
    """Where a pitfall is met: by its facets, and in the recipes that say they avoid it."""
    return [*pitfall.surfaces, *(["recipe"] if pitfall.name in avoiding else [])]
