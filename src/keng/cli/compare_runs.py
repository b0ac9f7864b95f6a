"""`keng run --twice N`: the first steps in two processes, and where these first differ."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

from keng._util.texts import sentence
from keng.cli.commands import refused
from keng.cli.files import reader, write
from keng.model import Span
from keng.report.findings import place
from keng.report.frames import frame
from keng.report.screen import Line, Piece, Screen, paragraph
from keng.report.words import Words

if TYPE_CHECKING:
    from keng.run.replay.operations import Operation

Pair = tuple["Operation | None", "Operation | None"]


def main(options: argparse.Namespace, program: list[str]) -> int:
    """1 where something differs; else what the program itself returned. Raises Usage."""
    words = Words(options.lang)
    screen = Screen(sys.stderr, options.color)
    with tempfile.TemporaryDirectory(prefix="keng-") as folder:
        files = [Path(folder, name) for name in ("first", "second")]
        codes = [_run(options, program, file, shown=at == 0) for at, file in enumerate(files)]
        one, two = (_read(file, code) for file, code in zip(files, codes, strict=True))
    pairs = list(zip_longest(one, two))
    at = next((at for at, (a, b) in enumerate(pairs) if not _same(a, b)), None)
    if options.json:
        told = None if at is None else _record(at, pairs[at])
        write("run", options.json, json.dumps({"differs": told}, indent=2) + "\n")
    if at is None:
        text = words("twice_same", n=len(one), steps=words("steps", options.twice))
        screen.show([[Piece(text, "name")]])
        return codes[0]
    screen.show(_lines(at, pairs[at], words, screen.width))
    return 1


def _run(options: argparse.Namespace, program: list[str], file: Path, shown: bool) -> int:
    """What the second run prints is what the first has printed."""
    words = [*(["-m"] if options.module else []), *program]
    command = [
        sys.executable,
        "-m",
        "keng.run.replay.traced_run",
        str(file),
        str(options.twice),
        *words,
    ]
    out = None if shown else subprocess.DEVNULL
    return subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=out, stderr=out, check=False
    ).returncode


def _read(file: Path, code: int) -> list[Operation]:
    from keng.run.replay.operations import read

    try:
        return read(file)
    except OSError:
        raise refused("run", sentence("nothing_compared", code=code)) from None


def _same(one: Operation | None, two: Operation | None) -> bool:
    """Lines apart: those of a program that has changed between the runs would be no difference."""
    return one is not None and two is not None and one[:4] == two[:4]


def _record(at: int, pair: Pair) -> dict[str, object]:
    names = [None if each is None else each._asdict() for each in pair]
    return {"operation": at + 1, "first": names[0], "second": names[1]}


def _lines(at: int, pair: Pair, words: Words, width: int) -> list[Line]:
    one, two = pair
    seen = one or two
    assert seen is not None, "one of two has the operation"
    where = Span(seen.path, seen.line) if seen.path else None
    head = [Piece("keng: ", "dim"), *([Piece(place(where), "place"), Piece(": ")] if where else [])]
    module = words("twice_module", module=seen.module) if seen.module else ""
    says = words(_way(one, two), name=seen.name, what=seen.what, module=module, n=at + 1)
    lines = paragraph(says + words("within", what=words("step", step=seen.step)), width, head)
    return [*lines, *(frame(where, reader(), width) if where else [])]


def _way(one: Operation | None, two: Operation | None) -> str:
    if one is None or two is None or one.name != two.name or one.what != two.what:
        return "twice_parts"
    return "twice_made" if one.given == two.given else "twice_given"
