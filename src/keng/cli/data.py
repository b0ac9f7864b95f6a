"""`keng data`: one pass over a dataset, and what is wrong with it."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from keng import pitfalls
from keng._util.texts import sentence
from keng.cli import entry_points, install
from keng.cli.commands import refused
from keng.cli.files import writable, write
from keng.cli.interrupts import told_to_end
from keng.cli.options import Parser, add_suspicious, flag
from keng.cli.progress import Progress
from keng.report import datasets as report
from keng.report.screen import Screen
from keng.report.words import Words

PICTURES = 24
"""Flagged samples that are shown on the page."""


EXAMPLES = """
  keng data pkg.data:train                              read every sample once
  keng data pkg.data:train --against pkg.data:test      compare two splits
  keng data pkg.data:train --classes 10 -o data.html
  torchrun --nproc-per-node 8 -m keng data pkg.data:train    divide the samples
"""


def parser() -> Parser:
    parser = Parser("data", "Read a dataset once, and report its faults.", EXAMPLES)
    what = "pkg.module:name of a dataset, a loader, or a function that makes one"
    parser.add_argument("dataset", help=what)
    what = "another split, which must have no sample in common"
    parser.add_argument("--against", metavar="NAME", help=what)
    what = "the number of classes: labels must be 0 to N - 1"
    parser.add_argument("--classes", type=int, metavar="N", help=what)
    add_suspicious(parser)
    output = parser.add_output()
    output.add_argument(
        "-o", "--output", "--html", metavar="FILE", help="write a page with images to FILE"
    )
    flag(output, "--json", "print JSON")
    parser.add_look()
    return parser


def main(args: list[str]) -> int:
    options = parser().parse(args)
    try:
        from keng.toolbox.datasets import checking, dividing

        team = dividing.team()
    except ImportError as error:
        raise install.needed("data", error) from None
    except (RuntimeError, ValueError, KeyError) as error:
        raise refused("data", sentence("no_team", error=error)) from None
    if options.classes is not None and options.classes < 1:
        says = sentence("not_above_zero", option="--classes", value=options.classes)
        raise refused("data", says)
    writable("data", options.output)
    data = entry_points.load(options.dataset, "data")
    against = entry_points.load(options.against, "data") if options.against else None
    try:
        with told_to_end(), Progress() as progress:
            found = checking.check_part(
                team, data, against=against, classes=options.classes, progress=progress
            )
    except Exception as error:
        raise entry_points.broke("data", options.dataset, error) from None
    if found is None:
        return 0  # rank 0 reports for all
    shown = [each for each in found.findings if each.sure or options.suspicious]
    _tell(found, shown, options)
    if options.output:
        _write_page(data, found, shown, options)
    return 2 if found.interrupted else 1 if shown else 0


def _tell(found: Any, shown: list[Any], options: argparse.Namespace) -> None:
    if options.json:
        print(json.dumps(report.record(found, shown), indent=2))
        return
    screen, words = Screen(sys.stdout, options.color), Words(options.lang)
    known = {pitfall.name for pitfall in pitfalls.every()}
    screen.show(report.lines(found, shown, known, words, screen.width))


def _write_page(data: Any, found: Any, shown: list[Any], options: argparse.Namespace) -> None:
    from keng.report import dataset_page
    from keng.toolbox.datasets.pictures import pictures

    flagged = [(index, each.name) for each in shown for index in each.indices]
    drawn = pictures(data, flagged[:PICTURES])
    page = dataset_page.page(options.dataset, found, shown, drawn, Words(options.lang))
    write("data", options.output, page)
