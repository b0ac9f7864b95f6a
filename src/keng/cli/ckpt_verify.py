"""`keng ckpt verify`: whether a checkpoint is whole, and what the file really is."""

from __future__ import annotations

import json
import sys
from typing import NamedTuple

from keng.ckpt.aliases import Format
from keng.ckpt.inspection import inspect, units
from keng.ckpt.places import exists
from keng.ckpt.verify import outside, readable, wrong_crcs
from keng.cli import checkpoint_files
from keng.cli.options import Parser, flag
from keng.cli.progress import Progress
from keng.model import Finding
from keng.report import checkpoints as report
from keng.report.records import of_finding
from keng.report.screen import Line, Piece, Screen, paragraph
from keng.report.translation import findings_in
from keng.report.words import Words


class Verified(NamedTuple):
    path: str
    format: Format
    broken: list[str]
    tricks: list[str]
    readable: int
    tensors: int
    findings: list[Finding]
    exists: bool


EXAMPLES = """
  keng ckpt verify last.ckpt              is it whole?
  keng ckpt verify checkpoints            each checkpoint in a folder
  keng ckpt verify "runs/*/*.pt" --json
"""


def parser() -> Parser:
    about = (
        "Report whether a checkpoint is whole, and what a file is that is not a checkpoint. Exit code 1: it"
        " is not whole; 2: there is no file."
    )
    parser = Parser("ckpt verify", about, EXAMPLES)
    parser.add_argument("files", nargs="+", help="files, folders, patterns, or -")
    flag(parser.add_output(), "--json", "print JSON")
    parser.add_look()
    return parser


def main(args: list[str]) -> int:
    options = parser().parse(args)
    verified = [_verified(path) for path in checkpoint_files.files(options.files)]
    if options.json:
        print(json.dumps([_record(each) for each in verified], indent=2))
    else:
        screen, words = Screen(sys.stdout, options.color), Words(options.lang)
        for each in verified:
            screen.show(_lines(each, words, screen.width))
    if not all(each.exists for each in verified):
        return 2
    return int(any(each.broken for each in verified)) if verified else 2


def _verified(name: str) -> Verified:
    with checkpoint_files.local(name, "verify") as path, Progress() as progress:
        found = checkpoint_files.told(path)
        crcs = () if found.is_remote else wrong_crcs(found, progress)
        broken = [*found.broken, *outside(found), *crcs]
        findings, _ = inspect(found, units(found) if found.files else [])
        count_of_readable = len(readable(found))
        tricks, count = found.told("trick"), len(found.tensors)
        there = exists(path)
        return Verified(
            name, found.format, broken, tricks, count_of_readable, count, findings, there
        )


def _record(verified: Verified) -> dict[str, object]:
    return {
        "path": verified.path,
        "format": verified.format,
        "whole": not verified.broken,
        "broken": verified.broken,
        "tricks": verified.tricks,
        "readable": verified.readable,
        "tensors": verified.tensors,
        "findings": [of_finding(each) for each in verified.findings],
    }


def _lines(verified: Verified, words: Words, width: int) -> list[Line]:
    lines: list[Line] = []
    if not verified.broken:
        kind = report.NAMES[verified.format]
        lines.append(
            [Piece(words("whole", verified.tensors, path=report.row(verified.path), kind=kind))]
        )
    for kind, style, texts in (
        ("broken", "error", verified.broken),
        ("trick", "warning", verified.tricks),
    ):
        for text in texts:
            first = [Piece(report.row(verified.path), "place"), Piece(words.colon)]
            lines += paragraph(text, width, [*first, Piece(words(kind), style), Piece(words.colon)])
    if verified.broken and verified.tensors:
        counts = words("read_back", n=verified.readable, all=verified.tensors)
        lines.append([Piece(f"  {counts}")])
    return lines + report.findings(findings_in(words.lang, verified.findings), words, width)
