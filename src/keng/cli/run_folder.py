"""`keng run --report`: a folder in which a run is kept while it runs, and its page."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from keng._util.atomic import aside
from keng._util.texts import sentence
from keng.cli.commands import refused
from keng.cli.files import reader
from keng.model import Finding
from keng.ranks.calls import Stall
from keng.report import records, runs
from keng.report.translation import findings_in
from keng.report.words import Words
from keng.run.history.runs import Recorded

if TYPE_CHECKING:
    from keng.run.findings import Result

HOME = Path(".keng")
FIRST, LONGEST = 1.0, 10.0
"""Seconds until the page is first written again, and at most. A program that is killed leaves the page
that was written last, and a journal that lacks nothing."""
DEAREST = 0.01
"""Share of the time that writing the page may take."""


def folder(given: str, kind: str) -> Path:
    """Where something of a run is kept, absolute, for the program may change its folder. Not made yet."""
    stamp = time.strftime("%Y-%m-%d_%H-%M-%S")
    place = Path(given) if given else HOME / kind / stamp
    at, again = place.absolute(), 1
    while not given and at.exists():
        again += 1
        at = place.absolute().with_name(f"{stamp}-{again}")
    return at


def made(place: Path) -> Path:
    """In keng's own folder git is told to look away. Raises OSError."""
    place.mkdir(parents=True, exist_ok=True)
    own = next((above for above in place.parents if above.name == HOME.name), None)
    if own is not None and not (own / ".gitignore").exists():
        (own / ".gitignore").write_text("*\n")
    return place


class Journal:
    """Lines of JSON, each written at once: what is in it survives whatever ends the program. Points of
    a curve stand for more and more steps, so that it stays small."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND, 0o666)

    def write(self, kind: str, **what: Any) -> None:
        line = json.dumps({"kind": kind, **what}, ensure_ascii=False, allow_nan=False)
        os.write(self._file, f"{line}\n".encode())


class Recording:
    """A run in its folder, which is made with the first that there is to keep."""

    def __init__(self, place: Path, program: Sequence[str], words: Words) -> None:
        self.page = place / "report.html"
        self._place, self._words = place, words
        self._run = Recorded(" ".join(program), time.strftime("%Y-%m-%d %H:%M:%S"))
        self._journal: Journal | None = None
        self._begun = time.monotonic()
        self._pause = FIRST
        self._due = self._begun

    def scalar(self, name: str, label: str, step: int, value: float) -> None:
        """Raises OSError where the disk is full; then the recorder is switched off, and nothing else."""
        point = self._run.add(name, label, step, value)
        if point is not None:
            self._write("curve", name=name, label=label, **point._asdict())
        if time.monotonic() >= self._due:
            self._turn_page()

    def about(self, name: str, value: str) -> None:
        """A property of the run; the first one comes with the commit."""
        if not self._run.about and (commit := _commit()):
            self._about("commit", commit)
        self._about(name, value)

    def _about(self, name: str, value: str) -> None:
        if (name, value) not in self._run.about:
            self._run.about.append((name, value))
            self._write("about", name=name, value=value)

    def finding(self, finding: Finding) -> None:
        self._run.findings += (finding,)
        self._write("finding", **records.of_finding(finding), first=finding.first)

    def stall(self, stall: Stall) -> None:
        """At once: what stands still is often killed."""
        self._run.standings = stall.standings
        self._write_standings()
        self._write_page()

    def end(self, result: Result) -> None:
        run, overhead = self._run, result.overhead
        run.findings, run.skipped, run.standings = result.findings, result.skipped, result.standings
        run.seconds, run.own = overhead.seconds, overhead.own
        run.ending = result.ending or "ended"
        self._write_standings()
        self._write("end", ending=run.ending, steps=run.steps, seconds=run.seconds, own=run.own)
        self._write_page()

    def _write(self, kind: str, **what: Any) -> None:
        if self._journal is None:
            self._journal = Journal(made(self._place) / "journal.jsonl")
            run = self._run
            self._journal.write("run", program=run.program, begun=run.begun, torch=_torch())
        self._journal.write(kind, **what)

    def _write_standings(self) -> None:
        for standing in self._run.standings:
            self._write("rank", **records.of_standing(standing))

    def _turn_page(self) -> None:
        begun = time.monotonic()
        self._run.seconds = begun - self._begun
        self._run.own = sum(c.total for c in self._run.named("seconds") if c.label == "keng")
        self._write_page()
        took = time.monotonic() - begun
        self._due = begun + max(self._pause, took / DEAREST)
        self._pause = min(2 * self._pause, LONGEST)

    def _write_page(self) -> None:
        self._run.torch = _torch()
        told = findings_in(self._words.lang, self._run.findings)
        text = runs.page(replace(self._run, findings=tuple(told)), reader(), self._words)
        with aside(made(self._place) / self.page.name) as file:
            file.write(text.encode())


class Kept:
    """What the command line asks to be kept of a run. Raises Usage."""

    def __init__(self, options: argparse.Namespace, program: Sequence[str]) -> None:
        self._recording = self._board = None
        if options.report is not None:
            words = Words(options.lang)
            self._recording = Recording(folder(options.report, "runs"), program, words)
        if options.tensorboard is not None:
            if find_spec("tensorboard") is None:
                package = "tensorboard"
                says = sentence(
                    "needs_package", what="--tensorboard", package=package, spec=package
                )
                raise refused("run", says)
            from keng.run.history.tensorboard import Board

            self._board = Board(Path(options.tensorboard).absolute())

    @property
    def record(self) -> Callable[[str, str, int, float], None] | None:
        sinks = [each.scalar for each in (self._recording, self._board) if each is not None]
        if not sinks:
            return None

        def record(name: str, label: str, step: int, value: float) -> None:
            for sink in sinks:
                sink(name, label, step, value)

        return record

    @property
    def about(self) -> Callable[[str, str], None] | None:
        return self._recording.about if self._recording is not None else None

    def finding(self, finding: Finding) -> None:
        if self._recording is not None:
            self._recording.finding(finding)

    def stall(self, stall: Stall) -> None:
        if self._recording is not None:
            self._recording.stall(stall)

    def end(self, result: Result) -> Path | None:
        """The page that was written, if one was asked for."""
        if self._board is not None:
            self._board.close()
        if self._recording is None:
            return None
        self._recording.end(result)
        return self._recording.page


def _commit() -> str:
    """Of the folder the program was started in, with a + where files differ from it; nothing without git."""
    try:
        said = [
            subprocess.run(
                ["git", *words], capture_output=True, text=True, timeout=5, check=True
            ).stdout
            for words in (["rev-parse", "--short", "HEAD"], ["status", "--porcelain", "-uno"])
        ]
    except (OSError, subprocess.SubprocessError):
        return ""
    return said[0].strip() + ("+" if said[1].strip() else "")


def _torch() -> str:
    return getattr(sys.modules.get("torch"), "__version__", "")
