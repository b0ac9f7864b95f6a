"""`keng ckpt scan`: what loading a checkpoint would run, judged by what is known to be inert."""

from __future__ import annotations

import hashlib
import json
import sys
from typing import NamedTuple

from keng._util.texts import sentence
from keng._util.version import VERSION
from keng.ckpt.checkpoint import Checkpoint, Verdict
from keng.ckpt.describe import called
from keng.ckpt.inspection import inspect, units
from keng.ckpt.pickle.names import is_importable
from keng.ckpt.places import is_folder
from keng.ckpt.verdict import judge
from keng.cli import checkpoint_files, ckpt_output
from keng.cli.commands import refused
from keng.cli.options import Parser, flag
from keng.cli.shards import Shard, add_shard
from keng.model import Finding, Hit, Severity, Span
from keng.report import checkpoints as report
from keng.report.formats.joining import mark_sarif
from keng.report.formats.sarif import sarif
from keng.report.result import Outcome
from keng.report.screen import Piece, Screen
from keng.report.translation import findings_in
from keng.report.words import Words

EXIT = {"KNOWN": 0, "UNKNOWN": 1, "DANGEROUS": 2, "BROKEN": 2}
SEVERITIES: dict[str, Severity] = {
    "UNKNOWN": "warning",
    "DANGEROUS": "error",
    "BROKEN": "error",
}


class Scanned(NamedTuple):
    path: str
    verdict: Verdict
    calls: list[str]
    findings: list[Finding]
    is_model: bool


EXAMPLES = """
  keng ckpt scan downloads                                  each checkpoint in a folder
  keng ckpt scan model.bin --safe-copy model.safetensors    keep the tensors, and nothing that runs
  keng ckpt scan models --sarif > scan.sarif                for code scanning
"""


def parser() -> Parser:
    about = (
        "Report what loading a checkpoint would run, without running it. Exit code 0: every name is known"
        " to be inert; 1: there are other names, or the file deviates from its format; 2: names that act,"
        " a file that cannot be read, or no file."
    )
    parser = Parser("ckpt scan", about, EXAMPLES)
    parser.add_argument("files", nargs="+", help="files, folders, patterns, or -")
    add_shard(parser.add_argument_group("files"))
    copy = parser.add_argument_group("safe copy")
    what = "write only the tensors, as safetensors"
    copy.add_argument("--safe-copy", metavar="OUT", help=what)
    flag(copy, "--force", "overwrite OUT")
    flag(parser.add_output(), "--json", "print JSON")
    flag(parser.add_output(), "--sarif", "print SARIF 2.1.0, for code scanning")
    parser.add_look()
    return parser


def main(args: list[str]) -> int:
    options = parser().parse(args)
    if options.safe_copy:
        out = ckpt_output.Out(options.safe_copy, options.force)
        return _safe_copy(options.files, out, Words(options.lang))
    scanned, others = _scanned(options.files, options.shard)
    shard = options.shard.record("ckpt scan") if options.shard else None
    if options.json:
        told = [report.of_verdict(s.verdict, s.calls, s.path, s.findings) for s in scanned]
        print(json.dumps({"files": told, "shard": shard} if shard else told, indent=2))
    elif options.sarif:
        findings = [finding for each in scanned for finding in _as_findings(each)]
        prints = [_print(finding) for finding in findings]
        log = sarif(Outcome(findings, prints=prints, version=VERSION))
        sys.stdout.write(mark_sarif(log, shard) if shard else log)
    else:
        screen, words = Screen(sys.stdout, options.color), Words(options.lang)
        for each in scanned:
            screen.show(report.verdict(each.verdict, each.calls, each.path, words, screen.width))
            screen.show(
                report.findings(findings_in(words.lang, each.findings), words, screen.width)
            )
        if scanned and others:
            screen.show([[Piece(f"  {words('no_models', others)}", "dim")]])
    # One part of several may have no checkpoint.
    return max((EXIT[each.verdict.word] for each in scanned), default=0 if shard else 2)


def _safe_copy(files: list[str], out: ckpt_output.Out, words: Words) -> int:
    """A file of another kind, in which nothing but tensors can stand: there is nothing to be judged."""
    if len(files) != 1:
        raise refused("ckpt scan", sentence("one_safe_copy"))
    with checkpoint_files.local(files[0], "scan --safe-copy") as path:
        found = checkpoint_files.read(path, "scan")
        tensors = ckpt_output.named(found)
        n = ckpt_output.write_tensors(out, tensors, found, "scan").tensors
    count = len(found.tensors)
    print(words("salvaged", n=n, all=count, file=out.path))
    return int(n < count)


def _scanned(paths: list[str], shard: Shard | None) -> tuple[list[Scanned], int]:
    """What is meant, and how many files are no models. Below a folder every file is read, whatever its
    name."""
    named: list[tuple[str, str]] = []
    for path in paths:
        folder = path if is_folder(path) else ""
        names = checkpoint_files.everything(path) if folder else checkpoint_files.files([path])
        named += [(name, folder) for name in names]
    read = [(_scan(name), folder) for name, folder in (shard.part(named) if shard else named)]
    scanned = [each for each, folder in read if each.is_model or not folder]
    for folder in () if shard else filter(is_folder, paths):
        if not any(each.is_model and where == folder for each, where in read):
            print(f"keng: no checkpoint lies in {folder}", file=sys.stderr)
    return scanned, len(read) - len(scanned)


def _is_model(name: str, found: Checkpoint, verdict: Verdict) -> bool:
    """By its content; a file that cannot be read is one by its name alone, or by what it would do. A text
    may begin as a pickle does that imports something."""
    if name.lower().endswith(checkpoint_files.MODELS) or is_folder(name):
        return True
    header = found.format == "safetensors" and found.root is None  # of anything, by its ninth byte
    acts = bool(verdict.dangerous) or any(is_importable(call.name) for call in verdict.calls)
    return acts or (found.format != "unknown" and not header)


def _scan(name: str) -> Scanned:
    with checkpoint_files.local(name, "scan") as path:
        found = checkpoint_files.told(path)
    verdict = judge(found)
    findings, _ = inspect(found, units(found) if found.files else [])
    calls = list(dict.fromkeys(called(call) for call in verdict.calls))
    return Scanned(name, verdict, calls, findings, _is_model(name, found, verdict))


def _as_findings(scanned: Scanned) -> list[Finding]:
    """The verdict as findings, for the formats that know nothing else."""
    verdict = scanned.verdict
    parts = (
        ("DANGEROUS", "would import", [str(name) for name in verdict.dangerous]),
        ("UNKNOWN", "would import", [str(name) for name in verdict.unknown]),
        ("UNKNOWN", "readers may differ:", verdict.tricks),
        ("BROKEN", "cannot be read:", verdict.broken),
    )
    return [
        Finding(
            f"checkpoint-{word.lower()}",
            "ckpt",
            SEVERITIES[word],
            Hit(f"{what} {text}", Span(scanned.path, 1)),
            "file",
        )
        for word, what, texts in parts
        for text in texts
    ] + scanned.findings


def _print(finding: Finding) -> str:
    path = finding.hit.where.path if finding.hit.where else ""
    return hashlib.sha256(f"{finding.pitfall} {path} {finding.hit.says}".encode()).hexdigest()[:16]
