"""`keng env`: the machine, judged."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Sequence

from keng import pitfalls as catalog
from keng._util.texts import sentence
from keng.cli.commands import refused
from keng.cli.options import Parser, flag
from keng.cli.progress import Progress
from keng.cli.selection import chosen
from keng.env import cleanup, engine
from keng.env.machine import Machine
from keng.env.subprocesses import nobody
from keng.model import Finding, Pitfall
from keng.report import findings, machines, records
from keng.report.screen import Line, Piece, Screen
from keng.report.translation import findings_in
from keng.report.words import Words

EXAMPLES = """
  keng env                                  check everything
  keng env --for "CUDA unknown error"       check only causes of an error
  keng env --fix                            remove stale locks, after asking
"""


def parser() -> Parser:
    about = "Check this machine for what breaks PyTorch: driver, libraries, limits, locks."
    parser = Parser("env", about, EXAMPLES)
    parser.add_argument(
        "--for", dest="error", metavar="TEXT", help="check only causes of this error"
    )
    flag(parser, "--fix", "remove stale locks and leftovers, after asking")
    flag(parser, "--yes", "with --fix: remove them without asking")
    parser.add_choice()
    output = parser.add_output()
    flag(output, "--versions", "print versions for a bug report, and check nothing")
    flag(output, "--all", "list the checks that passed too")
    flag(output, "--json", "print JSON")
    parser.add_look()
    return parser


def main(args: list[str]) -> int:
    options = parser().parse(args)
    if options.yes and not options.fix:
        raise refused("env", sentence("yes_without_fix"))
    if options.versions:
        return _versions(options)
    pitfalls = list(catalog.having("env"))
    if options.select or options.ignore:
        wanted = chosen(options.select, options.ignore)
        pitfalls = [pitfall for pitfall in pitfalls if pitfall in wanted]
    if options.error is not None:
        pitfalls = bearing(pitfalls, options.error)
    with Progress() as progress:
        result = engine.run(Machine.this(), pitfalls, progress)
    if options.fix and _fixed(result.findings, options):
        result = engine.run(Machine.this(), pitfalls)
    return _told(result, options)


def _versions(options: argparse.Namespace) -> int:
    from keng.env.versions import versions

    found = versions(Machine.this())
    if options.json:
        print(json.dumps(found, indent=2))
    else:
        print("\n".join(f"{name}: {value}" for name, value in found.items()))
    return 0


def bearing(pitfalls: Iterable[Pitfall], error: str) -> list[Pitfall]:
    from keng.explain.engine import explain_text

    explanation = explain_text(error, source=False)
    named = [diagnosis.pitfall for diagnosis in explanation.diagnoses]
    bears = {pitfall.name for pitfall in catalog.bearing(named)}
    return [pitfall for pitfall in pitfalls if pitfall.name in bears]


def answers(probed: Iterable[Pitfall]) -> list[Finding]:
    """What files tell here of pitfalls. No other program is asked."""
    return [f for f in engine.run(Machine.this(nobody), probed).findings if f.hit.sure]


def _told(result: engine.Result, options: argparse.Namespace) -> int:
    # What bears on an error is worth showing though it is not sure.
    doubtful = options.suspicious or options.error is not None
    found = [finding for finding in result.findings if finding.hit.sure or doubtful]
    if options.json:
        record = records.of_findings(found, result.skipped)
        checks = [
            {"pitfall": c.pitfall, "check": c.name, "verdict": c.verdict, "looked": c.looked}
            for c in result.checks
        ]
        print(json.dumps({**record, "checks": checks}, indent=2))
    else:
        _show(found, result, options)
    return 2 if result.skipped else 1 if found else 0


def _show(found: Sequence[Finding], result: engine.Result, options: argparse.Namespace) -> None:
    words, screen = Words(options.lang), Screen(sys.stdout, options.color)
    for finding in findings_in(options.lang, found):
        screen.show([*findings.full(finding, lambda path: None, words, screen.width), []])
    # Who asks about an error is told as well what it does not come from.
    answered = options.error is not None and not found
    for check in result.checks if options.all or answered else ():
        if check.verdict != "found":
            screen.show(
                machines.sound(check.pitfall, check.name, check.looked, words, screen.width)
            )
    aside = Screen(sys.stderr, options.color)
    aside.show(findings.skipped_line(skipped, words) for skipped in result.skipped)
    screen.show(_end(found, result, words))


def _end(found: Sequence[Finding], result: engine.Result, words: Words) -> Iterable[Line]:
    if not result.checks:
        yield [Piece(words("not_asked"))]
        return
    looked = words("checks", len(result.checks))
    key = "found" if found else "clean"
    yield [Piece(words(key, counts=findings.counts(found, words), files=looked), "name")]
    if files := cleanup.removable(result.findings):
        yield [Piece(words("removable", len(files)))]


def _fixed(found: Sequence[Finding], options: argparse.Namespace) -> bool:
    """Whether files were removed. The machine is looked at again after the answer: a minute may have
    passed, and a lock found a new owner."""
    words, aside = Words(options.lang), Screen(sys.stderr, options.color)
    files = cleanup.removable(found)
    if not files:
        aside.show([[Piece(words("kept"))]])
        return False
    if not options.yes:
        aside.show([[Piece(f"  {file}", "place")] for file in files])
        if not _agreed(words("ask", len(files))):
            return False
    names = {finding.pitfall for finding in found}
    again = engine.run(Machine.this(), [catalog.pitfall(name) for name in names])
    gone, failed = cleanup.remove(again.findings)
    aside.show(findings.skipped_line(skipped, words) for skipped in failed)
    aside.show([[Piece(words("removed", len(gone)))]])
    return True


def _agreed(question: str) -> bool:
    if not sys.stdin.isatty():
        raise refused("env", sentence("nobody_answers"))
    sys.stderr.write(question)
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes", "是")
