"""`keng run`: a program as Python runs it, and what keng saw of it."""

from __future__ import annotations

import argparse
import os
import sys

from keng._util.settings import FAIL_ON
from keng._util.texts import sentence
from keng.cli import compare_runs, install
from keng.cli.commands import refused
from keng.cli.files import writable
from keng.cli.options import Parser, add_quiet, count, flag, seconds
from keng.cli.run_output import Told, watched
from keng.report.words import Words
from keng.run.comparison.results import WAYS

STDIN = "-"


EXAMPLES = """
  keng run train.py --epochs 3              the options after the script are its own
  keng run --report -m pkg.train            save a page with curves and findings
  torchrun --nproc-per-node 2 -m keng run train.py    watch and compare the ranks
"""


def parser() -> Parser:
    parser = Parser("run", "Run a program unchanged, and report its silent mistakes.", EXAMPLES)
    parser.usage = "keng run [options] [-m] SCRIPT [args ...]"
    parser.add_argument("-m", action="store_true", dest="module", help="SCRIPT is a module")
    _add_run(parser)
    _add_ranks(parser)
    parser.add_choice()
    _add_output(parser)
    return parser


def _add_run(parser: Parser) -> None:
    how = parser.add_argument_group("how the program runs")
    what = "end the program after N optimizer steps, as sys.exit() does"
    how.add_argument("--steps", type=count, default=0, metavar="N", help=what)
    what = "run the first N steps in two processes, and report the first tensor that differs"
    how.add_argument("--twice", type=count, metavar="N", help=what)
    what = "run a step this way as well, and report the first module whose output differs"
    how.add_argument("--compare", choices=WAYS, help=what)
    what = "the step that --compare runs (2)"
    how.add_argument("--step", type=count, default=2, metavar="N", help=what)
    flag(
        how,
        "--sync-cuda",
        "wait for each CUDA kernel, so that an error is raised at its line; slow",
    )
    what = "save a step that fails to DIR for `keng replay` (.keng/capsules); written --capsule=DIR"
    how.add_argument("--capsule", nargs="?", const="", metavar="DIR", help=what)


def _add_ranks(parser: Parser) -> None:
    ranks = parser.add_argument_group("several ranks")
    what = "report a stall after so long without progress (30)"
    ranks.add_argument("--stall", type=seconds, default=30.0, metavar="SECONDS", help=what)
    flag(ranks, "--abort-on-stall", "end all ranks with code 1 after a stall")


def _add_output(parser: Parser) -> None:
    output = parser.add_output()
    what = "exit with 1 if there is a finding of this severity or worse"
    output.add_argument("--fail-on", choices=FAIL_ON, default="never", help=what)
    output.add_argument(
        "--strict",
        action="store_const",
        dest="fail_on",
        const="hint",
        help="the same as --fail-on hint",
    )
    output.add_argument("--json", metavar="FILE", help="write the findings to FILE too")
    add_quiet(output, "print only findings, errors and the paths of what is saved")
    what = "save the run as a page and a journal in DIR (.keng/runs/<time>); written --report=DIR"
    output.add_argument("--report", nargs="?", const="", metavar="DIR", help=what)
    same = "the same as --report=DIR"
    output.add_argument("-o", "--output", dest="report", metavar="DIR", help=same)
    what = "write the scalars of each step to DIR"
    output.add_argument("--tensorboard", metavar="DIR", help=what)
    parser.add_look()


def main(args: list[str]) -> int:
    own = parser()
    head, program = _split(args, own)
    options = own.parse(head)
    if not program:
        raise refused("run", sentence("which_program"))
    if (
        program[0] == STDIN
        and not options.module
        and (options.twice or options.capsule is not None)
    ):
        raise refused("run", sentence("program_not_in_file"))
    if options.json == "":
        raise refused("run", sentence("json_needs_file"))
    writable("run", options.json, [options.report, options.capsule, options.tensorboard])
    if options.sync_cuda:
        os.environ["CUDA_LAUNCH_BLOCKING"] = "1"  # read when CUDA is first used
        if not options.quiet:
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
    except launch.TorchMissing:
        raise refused("run", install.missing_torch(["run", *program])) from None
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
