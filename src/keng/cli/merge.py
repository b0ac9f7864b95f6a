"""`keng merge`: the outputs of all parts of a check or a scan -> the output of the whole."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from keng._util.disk import save
from keng._util.texts import sentence
from keng.cli.commands import Usage, refused
from keng.cli.files import writable
from keng.cli.options import Parser
from keng.report.formats.joining import SHARD, join_sarif

EXAMPLES = """
  keng check src --shard 1/2 --json > 1.json            one job
  keng check src --shard 2/2 --json > 2.json            another
  keng merge 1.json 2.json > all.json                   what one job would have printed
"""
WORST = {"KNOWN": 0, "UNKNOWN": 1, "DANGEROUS": 2, "BROKEN": 2}

Record = dict[str, Any]


class Part(NamedTuple):
    path: str
    shard: Record
    output: Record


class Kind(NamedTuple):
    """An output that is joined: its shard, how, the exit code of what is joined, and a line for each file
    that was not analysed."""

    shard: Callable[[Record], Record]
    join: Callable[[Sequence[Record]], Any]
    code: Callable[[Any], int]
    missed: Callable[[Any], list[str]]


def parser() -> Parser:
    about = (
        "Join the JSON or SARIF outputs of `keng check --shard I/N` or `keng ckpt scan --shard I/N`. The exit"
        " code is that of the whole, but files that could not be analysed are only listed: it is 2 where"
        " nothing could be, and where parts are missing, overlap or do not belong together."
    )
    parser = Parser("merge", about, EXAMPLES)
    parser.add_argument("files", nargs="+", metavar="FILE", help="the outputs of all N parts")
    output = parser.add_output()
    output.add_argument("-o", "--output", metavar="FILE", help="write to FILE")
    parser.add_look()
    return parser


def main(args: list[str]) -> int:
    options = parser().parse(args)
    writable("merge", options.output)
    parts = [_read(path) for path in options.files]
    _agree(parts)
    parts.sort(key=lambda part: part.shard["index"])
    kind = _kind(parts[0].output)
    assert kind is not None
    joined = kind.join([part.output for part in parts])
    text = json.dumps(joined, indent=2) + "\n"
    if options.output is None:
        sys.stdout.write(text)
    elif failure := save(options.output, text.encode("utf-8", "backslashreplace")):
        raise refused("merge", failure.why, options.output)
    missed = kind.missed(joined)
    for line in missed:
        print(line, file=sys.stderr)
    if missed and not any(part.shard.get("files", 1) for part in parts):
        return 2
    return kind.code(joined)


def _read(path: str) -> Part:
    try:
        with open(path, encoding="utf-8") as file:
            output = json.load(file)
    except OSError as error:
        raise refused("merge", os.strerror(error.errno or 0), path) from None
    except (ValueError, RecursionError):
        raise refused("merge", sentence("merge_not_json"), path) from None
    kind = _kind(output)
    try:
        shard = kind.shard(output) if kind else None
    except (KeyError, IndexError, TypeError, AttributeError):
        shard = None
    if not _is_shard(shard):
        raise refused("merge", sentence("merge_no_shard"), path)
    return Part(path, shard or {}, output)


def _is_shard(shard: object) -> bool:
    if not isinstance(shard, dict) or set(shard) - {"files"} != {
        "command",
        "index",
        "of",
        "version",
    }:
        return False
    index, of = shard["index"], shard["of"]
    return isinstance(index, int) and isinstance(of, int) and 1 <= index <= of


def _agree(parts: list[Part]) -> None:
    """Raises Usage where the parts are not those of one whole."""
    first = parts[0]
    for part in parts[1:]:
        for name in ("command", "version", "of"):
            if part.shard[name] != first.shard[name]:
                raise _differ(name, first, part)
        if _kind(part.output) is not _kind(first.output):
            raise refused("merge", sentence("merge_kinds", first=first.path, other=part.path))
    by_index: dict[int, str] = {}
    of = first.shard["of"]
    for path, shard, _ in parts:
        if (other := by_index.setdefault(shard["index"], path)) is not path:
            name = f"{shard['index']}/{of}"
            raise refused("merge", sentence("merge_twice", part=name, first=other, other=path))
    if len(by_index) < of:
        missing = [f"{n}/{of}" for n in range(1, of + 1) if n not in by_index]
        raise refused("merge", sentence("merge_missing", parts=", ".join(missing)))


def _differ(name: str, first: Part, other: Part) -> Usage:
    values = {"mine": first.shard[name], "theirs": other.shard[name]}
    says = sentence(f"merge_{name}", first=first.path, other=other.path, **values)
    return refused("merge", says)


def _kind(output: Any) -> Kind | None:
    if not isinstance(output, dict):
        return None
    return next((kind for key, kind in KINDS.items() if key in output), None)


def _join_check(outputs: Sequence[Record]) -> Record:
    """A finding that two parts have, as both read a line that they share, is there once."""
    found = {json.dumps(row, sort_keys=True): row for each in outputs for row in each["findings"]}
    blind = {json.dumps(row, sort_keys=True): row for each in outputs for row in each["blind"]}
    hints = sum(each["hints"] for each in outputs)
    return {"findings": list(found.values()), "blind": list(blind.values()), "hints": hints}


def _join_scan(outputs: Sequence[Record]) -> list[Record]:
    return [file for each in outputs for file in each["files"]]


def _code_of_check(joined: Record) -> int:
    return 1 if joined["findings"] else 0


def _missed_by_check(joined: Record) -> list[str]:
    return [_missed(row["path"], row["why"]) for row in joined["blind"]]


def _missed(path: str, why: str) -> str:
    return f"keng: {sentence('merge_missed', path=path, why=why)}"


def _missed_by_scan(joined: list[Record]) -> list[str]:
    """A scan lists every file with its verdict."""
    return []


def _code_of_scan(joined: list[Record]) -> int:
    return max((WORST.get(file["verdict"], 2) for file in joined), default=2)


def _code_of_sarif(joined: Record) -> int:
    run = joined["runs"][0]
    acts = {"checkpoint-dangerous", "checkpoint-broken"} & {r["ruleId"] for r in run["results"]}
    return 2 if acts else 1 if run["results"] else 0


def _missed_in_sarif(joined: Record) -> list[str]:
    run = joined["runs"][0]
    told = run["invocations"][0]["toolExecutionNotifications"]
    failed = not run["invocations"][0]["executionSuccessful"]
    texts = [each["message"]["text"].removeprefix("not analysed: ") for each in told]
    files = map(_file_of, told)
    return list(map(_missed, files, texts)) if failed else []


def _file_of(notification: Record) -> str:
    places = notification.get("locations") or [{}]
    artifact = places[0].get("physicalLocation", {}).get("artifactLocation", {})
    return str(artifact.get("uri", ""))


KINDS = {
    "runs": Kind(
        lambda o: o["runs"][0]["properties"][SHARD], join_sarif, _code_of_sarif, _missed_in_sarif
    ),
    "findings": Kind(lambda o: o["shard"], _join_check, _code_of_check, _missed_by_check),
    "files": Kind(lambda o: o["shard"], _join_scan, _code_of_scan, _missed_by_scan),
}
"""By a key that only this output has."""
