"""`keng tune-loader`: the fastest DataLoader for a dataset, and what bounds it."""

from __future__ import annotations

import argparse
import json
import math
import sys
from typing import Any

from keng._util.texts import sentence
from keng.cli import entry_points, install
from keng.cli.commands import refused
from keng.cli.files import writable, write
from keng.cli.interrupts import told_to_end
from keng.cli.options import Parser, flag
from keng.cli.progress import Progress
from keng.env import cgroups
from keng.env.machine import Machine
from keng.env.subprocesses import nobody
from keng.report import loaders as report
from keng.report.screen import Piece, Screen, paragraph
from keng.report.words import Words

EXAMPLES = """
  keng tune-loader pkg.data:train                     measure for a minute
  keng tune-loader pkg.data:train --batch-size 256
  keng tune-loader pkg.data:train --budget 300 -o loader.html
"""


def parser() -> Parser:
    about = "Measure DataLoader settings for a dataset, and report the fastest."
    parser = Parser("tune-loader", about, EXAMPLES)
    what = "pkg.module:name of a dataset, a loader, or a function that makes one"
    parser.add_argument("dataset", help=what)
    parser.add_argument("--batch-size", type=int, metavar="N", help="samples per batch")
    seconds = "how long to measure (60)"
    parser.add_argument("--budget", type=float, default=60.0, metavar="SECONDS", help=seconds)
    output = parser.add_output()
    output.add_argument(
        "-o", "--output", "--html", metavar="FILE", help="write the chart as a page to FILE"
    )
    flag(output, "--json", "print JSON")
    parser.add_look()
    return parser


def main(args: list[str]) -> int:
    options = parser().parse(args)
    for name, value in (("--batch-size", options.batch_size), ("--budget", options.budget)):
        if value is not None and not value > 0:
            raise refused("tune-loader", sentence("not_above_zero", option=name, value=value))
    writable("tune-loader", options.output)
    granted = _warned(options, Machine.this(nobody))
    found, words = _tuned(options, granted), Words(options.lang)
    if options.output:
        write("tune-loader", options.output, report.page(options.dataset, found, words))
    if options.json:
        print(json.dumps(report.record(found), indent=2))
    else:
        screen = Screen(sys.stdout, options.color)
        screen.show(report.lines(found, words, screen.width))
    return 2 if found.interrupted else 0


def _warned(options: argparse.Namespace, machine: Machine) -> int | None:
    """The processors of the control group, where they are fewer than Python counts; it is told."""
    told = cgroups.processors(machine)
    if told is None or told[0] >= machine.cpus:
        return None
    granted, file = told
    words, aside = Words(options.lang), Screen(sys.stderr, options.color)
    says = words("fewer_cores", granted=f"{granted:g}", seen=machine.cpus, file=file)
    head = [Piece(words("warning"), "warning"), Piece(words.colon)]
    aside.show(paragraph(says, aside.width, head))
    return max(1, math.ceil(granted))


def _tuned(options: argparse.Namespace, granted: int | None) -> Any:
    try:
        from keng.toolbox import tune_loader
        from keng.toolbox.tuning.tuning import usable_cores
    except ImportError as error:
        raise install.needed("tune-loader", error) from None
    data = entry_points.load(options.dataset, "tune-loader")
    cores = min(usable_cores(), granted) if granted else None
    try:
        with told_to_end(), Progress() as progress:
            return tune_loader(
                data,
                batch_size=options.batch_size,
                budget=options.budget,
                cores=cores,
                progress=progress,
            )
    except Exception as error:
        raise entry_points.broke("tune-loader", options.dataset, error) from None
