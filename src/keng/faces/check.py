"""`keng check`: source files -> findings, mended where it is wanted."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Sequence

from keng import check
from keng.faces.files import reader
from keng.faces.options import Parser, chosen
from keng.model import Blind, Finding
from keng.report import diffs, findings, github, records
from keng.report.screen import Piece, Screen
from keng.report.words import Words
from keng.source.text import decode

STDIN = "-"
FORMATS = ("full", "concise", "json", "github")


def parser() -> Parser:
    parser = Parser("check", "Find pitfalls in source files, and mend them.")
    parser.add_argument("paths", nargs="*", default=["."], help="files, folders, or - for stdin")
    parser.add_argument("--fix", action="store_true", help="make the fixes that are safe")
    parser.add_argument("--unsafe-fixes", action="store_true", help="and those that may not be")
    parser.add_argument("--diff", action="store_true", help="show what --fix would do, do nothing")
    parser.add_argument("--output-format", choices=FORMATS, default="full")
    parser.add_argument("--json", action="store_const", const="json", dest="output_format")
    parser.add_argument("--exit-zero", action="store_true", help="exit with 0 despite findings")
    parser.add_argument("--stdin-filename", metavar="PATH", default=STDIN)
    parser.add_choice()
    parser.add_look()
    return parser


def main(args: list[str]) -> int:
    options = parser().parse(args)
    pitfalls = chosen(options.select, options.ignore)
    paths = [path for path in options.paths if path != STDIN]
    texts, blind = _stdin(options.stdin_filename) if STDIN in options.paths else ({}, [])
    if options.fix or options.diff:
        mended = check.mend(
            paths, pitfalls, unsafe=options.unsafe_fixes, suspicious=options.suspicious, texts=texts
        )
        return _mended(mended, texts, blind, options)
    result = check.run(paths, pitfalls, suspicious=options.suspicious, texts=texts)
    blind += result.blind
    _tell(result, blind, options, Screen(sys.stdout, options.color))
    return _exit_code(result.findings, blind, options)


def _mended(
    mended: check.Mended, texts: dict[str, str], blind: list[Blind], options: argparse.Namespace
) -> int:
    result = mended.result
    blind += result.blind
    if options.diff:
        screen = Screen(sys.stdout, options.color)
        for change in mended.changes:
            screen.show(diffs.of_change(change.path, change.before, change.after))
        _tell_fixed(mended, "would_fix", options)
        _tell_blind(blind, options)
        return _exit_code(mended.fixed, blind, options)
    for change in mended.changes:
        if change.path not in texts and (failure := check.write(change)):
            blind.append(failure)
    if texts:
        changed = {change.path: change.after for change in mended.changes}
        sys.stdout.writelines(changed.get(path, text) for path, text in texts.items())
    _tell_fixed(mended, "fixed", options)
    _tell(result, blind, options, Screen(sys.stderr if texts else sys.stdout, options.color))
    return _exit_code(result.findings, blind, options)


def _stdin(name: str) -> tuple[dict[str, str], list[Blind]]:
    source = decode(sys.stdin.buffer.read(), name)
    return ({}, [source]) if isinstance(source, Blind) else ({name: source.text}, [])


def _tell(
    result: check.Result, blind: list[Blind], options: argparse.Namespace, screen: Screen
) -> None:
    words = Words(options.lang)
    if options.output_format == "json":
        screen.stream.write(
            json.dumps(records.of_findings(result.findings, blind), indent=2) + "\n"
        )
    elif options.output_format == "github":
        screen.stream.writelines(f"{line}\n" for line in github.commands(result.findings, blind))
    else:
        read = reader(result.codes)
        for finding in result.findings:
            if options.output_format == "concise":
                screen.show(findings.concise(finding, words))
            else:
                screen.show([*findings.full(finding, read, words, screen.width), []])
        _tell_blind(blind, options)
        screen.show(findings.summary(result.findings, result.files, words))
        _tell_fixable(result.findings, options, screen)


def _tell_fixable(found: Iterable[Finding], options: argparse.Namespace, screen: Screen) -> None:
    """How many fixes are there to be made, and the command that makes them."""
    if options.fix and options.unsafe_fixes:
        return
    words = Words(options.lang)
    safe = sum(check.applicable(finding, unsafe=False) for finding in found)
    unsafe = sum(check.applicable(finding, unsafe=True) for finding in found) - safe
    for key, n in (("fixable", safe), ("unsafe_fixable", unsafe)):
        if n:
            screen.show([[Piece(words(key, n))]])


def _tell_fixed(mended: check.Mended, key: str, options: argparse.Namespace) -> None:
    words = Words(options.lang)
    if mended.fixed and options.output_format in ("full", "concise"):
        files = words("files", len(mended.changes))
        text = words(key, len(mended.fixed), files=files)
        Screen(sys.stderr, options.color).show([[Piece(text, "name")]])


def _tell_blind(blind: Iterable[Blind], options: argparse.Namespace) -> None:
    words = Words(options.lang)
    Screen(sys.stderr, options.color).show(findings.blind_line(each, words) for each in blind)


def _exit_code(
    found: Sequence[Finding], blind: Sequence[Blind], options: argparse.Namespace
) -> int:
    if blind:
        return 2
    return 1 if found and not options.exit_zero else 0
