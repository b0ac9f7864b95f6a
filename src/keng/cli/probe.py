"""`keng probe`: a model on one batch, changed in ways that must not matter."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

from keng import pitfalls
from keng._util.texts import sentence
from keng.cli import entry_points, install
from keng.cli.commands import refused
from keng.cli.options import Parser, add_list, flag
from keng.report.screen import Line, Piece, Screen, paragraph
from keng.report.words import Words

FAMILIES = ("rows", "causal", "padding", "labels", "repeat", "state", "inputs", "gradients")
HEADS = {
    "likely": ("warning", "likely", "很可能"),
    "possible": ("hint", "possible", "可能"),
    "note": ("dim", "note", "备注"),
}
CLEAN = (
    "no findings: {held} of {count} probes held",
    "没有发现问题：{count} 项探测中有 {held} 项成立",
)
FOUND = (
    "{found} findings: {held} of {count} probes held",
    "发现 {found} 个问题：{count} 项探测中有 {held} 项成立",
)
SKIPPED = ("skipped", "跳过")
WRITTEN = ("probes", "探测")


EXAMPLES = """
  keng probe models:make --batch data:loader                  the first batch of a loader
  keng probe models:make --batch data:batch --loss models:loss
  keng probe models:make --batch data:batch --exempt rows     samples may mix
"""


def parser() -> Parser:
    parser = Parser("probe", "Test a model on one batch: changes that must not matter.", EXAMPLES)
    parser.add_argument("model", help="pkg.module:name of a model, or of a function that makes it")
    what = "pkg.module:name of a batch, a loader, or a function that makes one"
    parser.add_argument("--batch", required=True, metavar="NAME", help=what)
    what = "pkg.module:name of `loss(output, targets)`: tests gradients as well"
    parser.add_argument("--loss", metavar="NAME", help=what)
    what = f"skip tests that the model need not pass: {', '.join(FAMILIES)}, or a single probe"
    add_list(parser, "--exempt", "NAMES", what)
    what = "start no probe after N seconds"
    parser.add_argument("--seconds", type=float, metavar="N", help=what)
    output = parser.add_output()
    flag(output, "--json", "print JSON")
    parser.add_look()
    return parser


def main(args: list[str]) -> int:
    options = parser().parse(args)
    try:
        from keng.run.probes import PROBES, call_of, is_model, probe_run
    except ImportError as error:
        raise install.needed("probe", error) from None
    exempt = [name for names in options.exempt for name in names.split(",")]
    if unknown := set(exempt) - {*FAMILIES, *PROBES}:
        word, words = unknown.pop(), ", ".join(FAMILIES)
        raise refused("probe", sentence("not_among", option="--exempt", word=word, words=words))
    model = entry_points.made(options.model, "probe", is_model)
    if not is_model(model):
        kind = type(model).__name__
        raise refused("probe", sentence("not_a_model", target=options.model, type=kind))
    batch = _first(entry_points.made(options.batch, "probe", _ready), options.batch)
    loss = entry_points.made(options.loss, "probe", callable) if options.loss else None
    report = probe_run(call_of(model, batch, loss), options.seconds, exempt)
    if options.json:
        print(json.dumps(record(report, options.lang), indent=2, ensure_ascii=False))
    else:
        screen = Screen(sys.stdout, options.color)
        screen.show(lines(report, Words(options.lang), screen.width))
    return 2 if report.refused else 1 if report.findings else 0


def _ready(found: Any) -> bool:
    """Whether this is a batch or a loader, not a function that makes one."""
    return not isinstance(found, type) and (hasattr(found, "__iter__") or hasattr(found, "shape"))


def _first(found: Any, target: str) -> Any:
    """The batch itself, or the first that a loader yields."""
    if not hasattr(found, "dataset"):
        return found
    try:
        return next(iter(found))
    except Exception as error:
        raise entry_points.broke("probe", target, error) from None


def record(report: Any, lang: str) -> dict[str, Any]:
    """The report as JSON: findings and notes with their lines, probes that held, skipped ones with why."""
    return {
        "findings": [_record(each, lang) for each in report.findings],
        "notes": [_record(each, lang) for each in report.notes],
        "held": list(report.held),
        "skipped": {each.probe: each.text.says(lang) for each in report.skipped},
        "seconds": round(report.seconds, 3),
    }


def _record(finding: Any, lang: str) -> dict[str, Any]:
    where = finding.place.where if finding.place is not None else None
    return {
        "name": finding.pitfall,
        "family": finding.family,
        "confidence": finding.confidence,
        "says": finding.text.says(lang),
        "probes": list(finding.probes),
        "path": where.path if where else None,
        "line": where.line if where else None,
    }


def lines(report: Any, words: Words, width: int) -> Iterator[Line]:
    """The report for people: each finding with its line and how to read more, then what was skipped."""
    turn = words.lang == "zh"
    known = {pitfall.name for pitfall in pitfalls.every()}
    for finding in report.everything:
        yield from _finding(finding, finding.pitfall in known, words, width)
    for each in report.skipped:
        head = [
            Piece(f"{SKIPPED[turn]} ", "dim"),
            Piece(each.probe, "dim"),
            Piece(words.colon, "dim"),
        ]
        yield from paragraph(each.text.says(words.lang), width, head)
    if not report.refused:
        count, held, found = len(report.outcomes), len(report.held), len(report.findings)
        text = (FOUND if found else CLEAN)[turn].format(count=count, held=held, found=found)
        yield [Piece(text, "name")]


def _finding(finding: Any, known: bool, words: Words, width: int) -> Iterator[Line]:
    style, *names = HEADS[finding.confidence]
    head = [Piece(names[words.lang == "zh"], style), Piece(" "), Piece(finding.pitfall, "name")]
    yield from paragraph(finding.text.says(words.lang), width, [*head, Piece(words.colon)])
    where = finding.place.where if finding.place is not None else None
    if where is not None:
        yield [Piece(f"  {where.path}:{where.line}", "dim")]
    seen = ", ".join(finding.probes)
    yield [Piece(f"  {WRITTEN[words.lang == 'zh']}{words.colon}{seen}", "dim")]
    if known:
        yield [
            Piece(f"  {words('more')}{words.colon}", "dim"),
            Piece(f"keng explain {finding.pitfall}", "command"),
        ]
    yield []
