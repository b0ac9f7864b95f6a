"""`keng run`: a program as Python runs it, and what keng saw of it."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

from keng.disk import save
from keng.faces import twice
from keng.faces.choosing import chosen
from keng.faces.cli import Usage
from keng.faces.files import reader, writable
from keng.faces.options import Parser
from keng.faces.recording import HOME, Kept, made
from keng.model import Finding, Pitfall
from keng.page import title_in
from keng.ranks import Stall
from keng.report import findings, machines, records, standings
from keng.report.findings import SEVERITIES
from keng.report.places import near
from keng.report.screen import Piece, Screen
from keng.report.words import Words

if TYPE_CHECKING:
    from keng.runtime import Effort, Keep, Plan, Result


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
    seconds = float(text)
    if not 0 < seconds < float("inf"):
        raise ValueError(text)
    return seconds


def _count(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise ValueError(text)
    return int(text)


def main(args: list[str]) -> int:
    own = parser()
    head, program = _split(args, own)
    options = own.parse(head)
    if not program:
        raise Usage("run: which program? `keng run [options] [-m] SCRIPT [args ...]`")
    writable("run", options.json, [options.report, options.capsule, options.tensorboard])
    if options.sync_cuda:
        os.environ["CUDA_LAUNCH_BLOCKING"] = "1"  # read when CUDA is first used
        print(f"keng: {Words(options.lang)('sync_cuda')}", file=sys.stderr)
    if options.twice:
        return twice.main(options, program)
    return launched(options, program, Told(options, program))


def launched(options: argparse.Namespace, program: list[str], told: Told) -> int:
    """The exit code of a program that was run. Raises Usage."""
    from keng import runtime

    try:
        code = runtime.run(
            program[0],
            program[1:],
            module=options.module,
            pitfalls=_pitfalls(options),
            on_finding=told.at_once,
            on_error=told.error,
            on_end=told.end,
            plan=told.plan(),
        )
    except runtime.TorchMissing as error:
        raise Usage(f"run: {error}") from None
    return code or (1 if told.failed() else 0)


def _pitfalls(options: argparse.Namespace) -> list[Pitfall]:
    return [p for p in chosen(options.select, options.ignore) if p.watchers or p.comparers]


@contextmanager
def spawned(options: argparse.Namespace) -> Iterator[Callable[[str], None]]:
    """Watches a process that the program started by torch.multiprocessing.spawn."""
    from keng import runtime

    told, gone = Told(options), ["ended"]
    plan = told.plan()._replace(on_abort=lambda: told.end(watching.result))
    watching = runtime.Watch(_pitfalls(options), told.at_once, plan).start()
    try:
        yield gone.append
    finally:
        told.end(watching.stop(gone[-1]))


def _split(args: list[str], own: Parser) -> tuple[list[str], list[str]]:
    """keng's own options, and the program with its arguments: all that follows `-m`, `--` or the
    first word that is no option."""
    at = 0
    while at < len(args) and args[at].startswith("-"):
        if args[at] == "--":
            return args[:at], args[at + 1 :]
        if args[at] == "-m":
            return args[: at + 1], args[at + 1 :]
        at += 2 if args[at] in own.options_with_value else 1
    return args[:at], args[at:]


def harmless(tell: Callable[[Told, Any], None]) -> Callable[[Told, Any], None]:
    """A report that fails must not hurt the program, whose exit code and exception stay its own."""

    @wraps(tell)
    def told(self: Told, what: Any) -> None:
        try:
            tell(self, what)
        except Exception as error:
            with suppress(Exception):
                print(f"keng: cannot report: {type(error).__name__}: {error}", file=sys.__stderr__)

    return told


class Told:
    """What is said of a run, on standard error as it was when the run began."""

    def __init__(self, options: argparse.Namespace, program: Sequence[str] = ()) -> None:
        self._options = options
        self._program = tuple(program)
        self._kept = Kept(options, program)
        self._words = Words(options.lang)
        self._screen = Screen(sys.stderr, options.color)
        self._json = Path(options.json).absolute() if options.json else None
        self._written = self._stamp()
        self._stood = False
        self.found: list[Finding] = []

    def failed(self) -> bool:
        """Whether something is found that `--fail-on` names, or something worse."""
        worst = SEVERITIES[: SEVERITIES.index(self._options.fail_on or "error") + 1]
        found = any(finding.severity in worst for finding in self.found)
        return self._options.fail_on is not None and found

    def plan(self) -> Plan:
        from keng.runtime import Plan

        return Plan(
            self._options.stall,
            self._options.abort_on_stall,
            self.stall,
            on_batches=self.batches,
            spawned=partial(spawned, self._options),
            steps=self._options.steps,
            record=self._kept.record,
            keep=self._keep(),
        )

    def _keep(self) -> Keep | None:
        from keng.runtime import Keep, Program

        if self._options.capsule is None:
            return None
        home = Path(self._options.capsule or HOME / "capsules").absolute()
        program = Program(self._program, self._options.module, os.getcwd())
        return Keep(home, program, self.capsule)

    @harmless
    def capsule(self, place: Path) -> None:
        """How the step that broke is run again."""
        line = self._words("kept_step", folder=near(str(made(place))))
        self._screen.show([[Piece(line, "dim")]])

    @harmless
    def at_once(self, finding: Finding) -> None:
        """A line, as soon as a finding is sure."""
        if finding.hit.sure or self._options.suspicious:
            head = [Piece("keng: ", "dim")]
            (line,) = findings.concise(finding, self._words)
            when = f" ({finding.first})" if finding.first else ""
            self._screen.show([[*head, *line, Piece(when, "dim")]])
            self._kept.finding(finding)

    @harmless
    def batches(self, samples: tuple[int, ...]) -> None:
        """What a step is taken for, when the ranks have begun."""
        each = ", ".join(dict.fromkeys(map(str, samples)))
        says = self._words("batches", ranks=len(samples), each=each, together=sum(samples))
        self._screen.show([[Piece("keng: ", "dim"), Piece(says)]])

    @harmless
    def stall(self, stall: Stall) -> None:
        """Where every rank stands, when they stand still."""
        self._stood = True
        self._screen.show(standings.lines(stall, self._words))
        self._kept.stall(stall)

    @harmless
    def error(self, error: BaseException) -> None:
        """Why it broke, under Python's own traceback, and what this machine has to do with it."""
        from keng import explain
        from keng.faces.explain import on_this_machine, screen_of

        explanation = explain.live(error)
        if explanation.pytorch:
            self._screen.show([[], *screen_of(explanation, self._screen, self._words)])
            answers = on_this_machine(explanation)
            self._screen.show(machines.answers(answers, self._words, self._screen.width))

    @harmless
    def end(self, result: Result) -> None:
        """Everything again, each finding with its code, evidence and cure."""
        self.found = [f for f in result.findings if f.hit.sure or self._options.suspicious]
        if result.handed_on:
            return
        read = reader()
        for finding in self.found:
            title = title_in(self._words.lang, finding.group, finding.pitfall)
            lines = findings.full(finding, read, self._words, self._screen.width, title)
            self._screen.show([[], *lines])
        if not self._stood and any(each.troubled for each in result.standings):
            self._screen.show([[], *standings.timeline(result.standings, self._words)])
        self._screen.show(findings.blind_line(blind, self._words) for blind in result.blind)
        if self.found:
            counts = findings.counts(self.found, self._words)
            self._screen.show([[], [Piece(self._words("ran", counts=counts), "name")]])
        if result.effort.steps:
            self._screen.show([[Piece(self._effort(result.effort), "dim")]])
        # Processes that it spawned may have found what it has not.
        if self._json is not None and (self.found or self._stamp() == self._written):
            text = json.dumps(records.of_findings(self.found, result.blind), indent=2)
            if blind := save(self._json, f"{text}\n".encode()):
                self._screen.show([[Piece(f"keng: {blind.path}: {blind.why}")]])
        page = self._kept.end(replace(result, findings=tuple(self.found)))
        if page is not None:
            line = self._words("page_at", file=near(str(page)))
            self._screen.show([[Piece(line, "dim")]])

    def _effort(self, effort: Effort) -> str:
        """A program in which nothing is found shall know that somebody looked, and at what price."""
        steps, share = self._words("steps", effort.steps), f"{effort.share:.1%}"
        seconds = format(effort.seconds, ".3g" if effort.seconds < 100 else ".0f")
        return self._words("took", steps=steps, share=share, seconds=seconds)

    def _stamp(self) -> int:
        there = self._json is not None and self._json.exists()
        return self._json.stat().st_mtime_ns if self._json and there else 0
