"""`keng run`: a program as Python runs it, and what keng saw of it."""

from __future__ import annotations

import argparse
import os
import sys

from keng.cli import compare_runs
from keng.cli.commands import Usage
from keng.cli.files import writable
from keng.cli.options import Parser
from keng.cli.run_output import Told, watched
from keng.report.findings import SEVERITIES
from keng.report.words import Words

STDIN = "-"


def parser() -> Parser:
    parser = Parser("run", "Run a program unchanged, and name its silent mistakes.")
    parser.usage = "keng run [options] [-m] SCRIPT [args ...]"
    parser.add_argument("-m", action="store_true", dest="module", help="SCRIPT is a module")
    parser.add_argument(
        "--fail-on", choices=SEVERITIES, help="exit with 1 where this, or worse, is found"
    )
    parser.add_argument(
        "--strict",
        action="store_const",
        dest="fail_on",
        const="hint",
        help="the same as --fail-on hint: where anything is found",
    )
    parser.add_argument(
        "--steps",
        type=_count,
        default=0,
        metavar="N",
        help="end the program after N steps of optimizers, as sys.exit() does",
    )
    parser.add_argument("--json", metavar="FILE", help="write the findings there as well")
    parser.add_argument(
        "--report",
        nargs="?",
        const="",
        metavar="DIR",
        help="keep the run as a page and a journal there (.keng/runs/<time>); written --report=DIR",
    )
    parser.add_argument(
        "--capsule",
        nargs="?",
        const="",
        metavar="DIR",
        help="keep a step that breaks there, for `keng replay` (.keng/capsules); written --capsule=DIR",
    )
    parser.add_argument(
        "--twice",
        type=_count,
        metavar="N",
        help="run the first N steps in two processes, and name the first tensor that differs",
    )
    parser.add_argument(
        "--sync-cuda",
        action="store_true",
        help="wait for each CUDA kernel, so that an error is raised at its line; slow",
    )
    parser.add_argument("--tensorboard", metavar="DIR", help="write the scalars of each step there")
    parser.add_argument(
        "--stall",
        type=_seconds,
        default=30.0,
        metavar="SECONDS",
        help="several ranks: without progress for as long, they are told to stand still (30)",
    )
    parser.add_argument(
        "--abort-on-stall", action="store_true", help="several ranks: end them then, with code 1"
    )
    parser.add_choice()
    parser.add_look()
    return parser


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise argparse.ArgumentTypeError(f"must be a number of seconds above 0, not `{text}`")
    return seconds


def _count(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"must be a whole number above 0, not `{text}`")
    return int(text)


def main(args: list[str]) -> int:
    own = parser()
    head, program = _split(args, own)
    options = own.parse(head)
    if not program:
        raise Usage("run: which program? `keng run [options] [-m] SCRIPT [args ...]`")
    if (
        program[0] == STDIN
        and not options.module
        and (options.twice or options.capsule is not None)
    ):
        raise Usage("run: --twice and --capsule need a program in a file, not on standard input")
    writable("run", options.json, [options.report, options.capsule, options.tensorboard])
    if options.sync_cuda:
        os.environ["CUDA_LAUNCH_BLOCKING"] = "1"  # read when CUDA is first used
        print(f"keng: {Words(options.lang)('sync_cuda')}", file=sys.stderr)
    if options.twice:
        return compare_runs.main(options, program)
    told = Told(options, program)
    told.outlive()
    return launched(options, program, told)


def launched(options: argparse.Namespace, program: list[str], told: Told) -> int:
    """The exit code of a program that was run. Raises Usage."""
    from keng.run import launch

    try:
        code = launch.run(
            program[0],
            program[1:],
            module=options.module,
            pitfalls=watched(options),
            on_finding=told.at_once,
            on_error=told.error,
            on_end=told.end,
            plan=told.plan(),
        )
    except launch.TorchMissing as error:
        raise Usage(f"run: {error}") from None
    return code or (1 if told.failed() else 0)


def _split(args: list[str], own: Parser) -> tuple[list[str], list[str]]:
    """keng's own options, and the program with its arguments: all that follows `-m`, `--` or the
    first word that is no option."""
    at = 0
    while at < len(args) and args[at].startswith("-") and args[at] != STDIN:
        if args[at] == "--":
            return args[:at], args[at + 1 :]
        if args[at] == "-m":
            return args[: at + 1], args[at + 1 :]
        at += 2 if args[at] in own.options_with_value else 1
    return args[:at], args[at:]
