"""The report of a dataset: as lines, and as a record."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import asdict
from typing import Any

from keng.report.checkpoints import size
from keng.report.screen import Line, Piece, columns_of, paragraph
from keng.report.words import Words
from keng.toolbox.datasets.reports import DataFinding, DatasetReport, PartReport

MOST_SHAPES = 4
MOST_CLASSES = 12


def record(found: DatasetReport, shown: Sequence[DataFinding]) -> dict[str, Any]:
    return {**asdict(found), "findings": [_record(each) for each in shown]}


def _record(finding: DataFinding) -> dict[str, Any]:
    return {
        "name": finding.name,
        "severity": finding.severity,
        "says": finding.says,
        "message_id": finding.message_id,
        "values": dict(finding.values),
        "indices": finding.indices,
        "sure": finding.sure,
    }


def says(finding: DataFinding, words: Words) -> str:
    return finding.sentence(words.lang)


def lines(
    found: DatasetReport,
    shown: Sequence[DataFinding],
    known: Container[str],
    words: Words,
    width: int,
) -> list[Line]:
    told: list[Line] = []
    for each in shown:
        told += [*_finding(each, each.name in known, words, width), []]
    told += [*_table(found.parts, words), []] if found.parts else []
    told += paragraph(cost(found, words), width, [])
    for first, last in found.missing:
        text = words("part_missing", first=first, last=last)
        told.append([Piece(text, "warning")])
    if found.interrupted:
        told.append([Piece(words("interrupted", found.read), "warning")])
    key = "data_found" if shown else "data_clean"
    return [*told, [Piece(words(key, n=len(shown), samples=words("samples", found.read)), "name")]]


def _table(parts: Sequence[PartReport], words: Words) -> list[Line]:
    """A line for each part, below the names of the columns."""
    head = [words(f"data_{name}") for name in ("part", "shape", "dtype", "range", "content")]
    rows = [_row(part, words) for part in parts]
    wide = [max(columns_of(row[n]) for row in (head, *rows)) for n in range(len(head))]
    return [
        [
            *(Piece(_padded(t, wide[n]), style) for n, t in enumerate(row[:-1])),
            Piece(row[-1], style),
        ]
        for row, style in ((head, "dim"), *((row, "") for row in rows))
    ]


def _padded(text: str, wide: int) -> str:
    return text + " " * (wide - columns_of(text) + 2)  # two spaces between columns


def _row(part: PartReport, words: Words) -> list[str]:
    return [
        part.name or "-",
        _counted(part.shapes),
        _counted(part.dtypes),
        _range(part, words),
        _content(part, words),
    ]


def _range(part: PartReport, words: Words) -> str:
    if part.minimum is None or part.maximum is None:
        return ""
    return words("ranging", low=f"{part.minimum:.4g}", high=f"{part.maximum:.4g}")


def _content(part: PartReport, words: Words) -> str:
    if part.classes:
        return f"{words('classes', len(part.classes))} ({_classes(part.classes)})"
    if part.mean:
        return words("mean", mean=_numbers(part.mean), std=_numbers(part.deviation))
    return ""


def _finding(finding: DataFinding, known: bool, words: Words, width: int) -> list[Line]:
    doubt = "" if finding.sure else words("within", what=words("suspicious"))
    head = [
        Piece(words(finding.severity), finding.severity),
        Piece(" "),
        Piece(finding.name, "name"),
        Piece(doubt, "dim"),
        Piece(words.colon),
    ]
    told = paragraph(says(finding, words), width, head)
    if finding.indices:
        indices = ", ".join(map(str, finding.indices))
        told += paragraph(indices, width, [Piece(f"  {words('indices')}{words.colon}", "dim")])
    if known:
        label = Piece(f"  {words('more')}{words.colon}", "dim")
        told.append([label, Piece(f"keng explain {finding.name}", "command")])
    return told


def about(part: PartReport, words: Words) -> str:
    """The kinds and numbers of one part, in a line."""
    _, *told = _row(part, words)
    return "; ".join(filter(None, told))


def _counted(kinds: dict[str, int]) -> str:
    if len(kinds) == 1:
        return next(iter(kinds))
    often = sorted(kinds.items(), key=lambda kind: -kind[1])
    more = " ..." if len(often) > MOST_SHAPES else ""
    return ", ".join(f"{kind} ({n})" for kind, n in often[:MOST_SHAPES]) + more


def _classes(counts: dict[int, int]) -> str:
    told = [f"{label}: {n}" for label, n in counts.items()]
    return ", ".join(told[:MOST_CLASSES]) + (" ..." if len(told) > MOST_CLASSES else "")


def _numbers(values: Sequence[float]) -> str:
    return " ".join(f"{value:.4g}" for value in values)


def cost(found: DatasetReport, words: Words) -> str:
    """What reading took."""
    each = max(1, found.read + found.failed)
    slow = ", ".join(f"{index} ({seconds * 1e3:.3g} ms)" for index, seconds in found.slowest)
    bytes_each = size(found.nbytes // max(1, found.read))
    mean = f"{found.seconds / each * 1e3:.3g} ms"
    return words("sample_cost", seconds=mean, bytes=bytes_each, slowest=slow or "-")
