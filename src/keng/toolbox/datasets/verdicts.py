"""The findings in a dataset that was read. What may be intended (lengths that vary, rare classes, copies of
an image) is not sure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from keng.toolbox.datasets import objects
from keng.toolbox.datasets.reports import DataFinding
from keng.toolbox.datasets.samples import Failed, Source
from keng.toolbox.datasets.twins import Digests, Pairs
from keng.toolbox.datasets.values import NAMED, Part, Some

if TYPE_CHECKING:
    from keng.toolbox.datasets.passes import Pass

FEW = 0.05
"""Share of the samples up to which those that differ are treated as mistakes, not as variety."""
ENOUGH = 20
"""Fewest samples of which it is worth reporting that all have one label."""
RARE = 20.0
"""Times that the most frequent class outnumbers the rarest."""

Findings = Iterator[DataFinding]


def of(seen: Pass, other: Pass | None, classes: int | None) -> Findings:
    """All findings, in the order in which they are best fixed."""
    yield from _failures(seen)
    yield from _length(seen)
    for part in seen.parts.values():
        yield from _kinds(part, seen)
        yield from _numbers(part)
        yield from _scale(part)
        yield from _labels(part, classes)
    yield from _twins(seen.digests, other.digests if other is not None else None)
    for finding in _failures(other) if other is not None else ():
        yield replace(finding, message_id="other-split-cannot-be-read")
    yield from _objects(seen)


def _failures(seen: Pass) -> Findings:
    for kind, some in seen.failures.items():
        if not (seen.past_end.count and kind.startswith("IndexError") and _to_the_end(seen, some)):
            yield DataFinding(
                "sample-raises",
                "error",
                "cannot-be-read",
                {"samples": some.count, "error": kind},
                tuple(some.first),
            )


def _to_the_end(seen: Pass, some: Some) -> bool:
    return bool(seen.past_end.first and some.first[0] >= seen.past_end.first[0])


def _length(seen: Pass) -> Findings:
    length, source, name = seen.source.length, seen.source, "dataset-length"
    if length is None or seen.interrupted:
        return
    if seen.past_end.count:
        yield DataFinding(
            name,
            "error",
            "index-error-before-end",
            {"length": length, "end": seen.past_end.first[0]},
            tuple(seen.past_end.first),
        )
    elif not source.indexed and length != seen.read + seen.failed:
        yield DataFinding(
            name,
            "error",
            "length-differs",
            {"length": length, "samples": seen.read + seen.failed},
        )
    elif source.indexed and length and (held := _held(source, length)):
        yield DataFinding(
            name,
            "warning",
            "samples-past-length",
            {"length": length, "samples": held},
            (length,),
        )
    if length == 0:
        yield DataFinding("empty-dataset", "error", "no-sample")


def _held(source: Source, length: int) -> int:
    """How many samples can be read, where they are more than the length, and end with what the
    dataset holds; 0 where not."""
    held = objects.longest(source.dataset)
    if held <= length:
        return 0
    last, after = source.read(held - 1), source.read(held)
    return held if isinstance(after, Failed) and not isinstance(last, Failed) else 0


def _kinds(part: Part, seen: Pass) -> Findings:
    for what, kinds in (("shape", part.shapes), ("dtype", part.dtypes)):
        if len(kinds) < 2:
            continue
        usual = max(kinds, key=lambda kind: kinds[kind].count)
        all_ = sum(some.count for some in kinds.values())
        rest = all_ - kinds[usual].count
        odd = sorted(i for kind, some in kinds.items() if kind != usual for i in some.first)
        names = ", ".join(kind for kind in kinds if kind != usual)[:80]
        yield DataFinding(
            "collate-size-mismatch" if what == "shape" else "dtype-varies",
            "warning",
            "kinds-differ",
            {**_of(part, rest), "all": all_, "what": what, "names": names, "usual": usual},
            tuple(odd[:NAMED]),
            rest <= max(1, FEW * all_) and not (seen.source.collates and what == "shape"),
        )
    held = sum(some.count for some in part.shapes.values())
    if held < seen.read and not seen.source.collates:
        yield DataFinding(
            "part-missing",
            "warning",
            "part-missing",
            {**_of(part, seen.read), "held": held},
        )


def _numbers(part: Part) -> Findings:
    for some, what in ((part.nan, "NaN"), (part.inf, "Inf")):
        if some.count:
            yield DataFinding(
                "dirty-data",
                "error",
                "not-finite",
                {**_of(part, some.count), "what": what},
                tuple(some.first),
            )
    if part.constant.count:
        # Masks without an object and features that are all zero are innocent.
        few = part.constant.count <= max(1, FEW * part.pictures)
        yield DataFinding(
            "dirty-data",
            "warning",
            "one-value",
            _of(part, part.constant.count),
            tuple(part.constant.first),
            bool(part.pictures) and few,
        )


def _scale(part: Part) -> Findings:
    """Pictures of floats, next to 0 to 1 and to what a normalization makes of that."""
    if not part.pictures:
        return
    low, high, name = part.minimum, part.maximum, "image-scale-unexpected"
    bright = part.unscaled.count
    values = {**_of(part, bright), "low": f"{low:.4g}", "high": f"{high:.4g}"}
    if high > 100 and 0 < bright <= FEW * part.pictures:
        yield DataFinding(
            name,
            "warning",
            "few-not-scaled",
            {**values, "all": part.pictures},
            tuple(part.unscaled.first),
        )
    elif 100 < high <= 255 and low >= 0 and part.whole == part.pictures:
        yield DataFinding(
            name,
            "warning",
            "whole-floats",
            values,
        )
    elif high > 300 and -3 < low < 0 and max(part.deviation) > 20:
        yield DataFinding(
            name,
            "warning",
            "normalized-without-scaling",
            values,
        )
    elif 0 < high <= 1 / 255 and low >= 0:
        yield DataFinding(name, "warning", "scaled-twice", values)


def _labels(part: Part, classes: int | None) -> Findings:
    had = part.labels.classes
    if not had:
        return
    yield from _outside(part, had, classes)
    missing = [c for c in range(classes) if c not in had] if classes else part.labels.missing
    if missing:
        yield DataFinding(
            "class-missing",
            "warning",
            "class-missing",
            {**_of(part), "labels": _listed(missing)},
            sure=classes is not None,
        )
    if len(had) == 1 and sum(had.values()) >= ENOUGH:
        values = {**_of(part), "label": next(iter(had))}
        yield DataFinding("labels-constant", "warning", "one-label", values)
    if (times := part.labels.imbalance) >= RARE:
        rare = min(had, key=lambda label: had[label])
        yield DataFinding(
            "class-imbalance",
            "hint",
            "classes-imbalanced",
            {**_of(part, had[rare]), "label": rare, "times": f"{times:.0f}"},
            sure=False,
        )


def _outside(part: Part, had: dict[int, int], classes: int | None) -> Findings:
    name = "label-out-of-range"
    outside = [label for label in had if classes is not None and not 0 <= label < classes]
    if outside:
        yield DataFinding(
            name,
            "error",
            "labels-outside",
            {**_of(part), "labels": _listed(outside), "classes": classes},
        )
    elif min(had) == 1 and len(had) > 2 and not part.labels.missing:
        yield DataFinding(
            name,
            "warning",
            "labels-from-one",
            {**_of(part), "last": max(had), "largest": max(had) - 1},
            sure=False,
        )


def _twins(mine: Digests, other: Digests | None) -> Findings:
    if mine.left_out:
        yield DataFinding(
            "duplicate-samples",
            "hint",
            "compared-in-part",
            {"samples": len(mine)},
        )
    repeats, near = mine.repeats(), mine.lookalikes()
    if len(repeats):
        yield DataFinding("duplicate-samples", "warning", "repeats", *_pairs(repeats))
    if len(near):
        yield DataFinding("near-duplicates", "hint", "look-alike", *_pairs(near), sure=False)
    if other is None:
        return
    leaked, both = mine.repeats(other), mine.lookalikes(other)
    if len(leaked):
        yield DataFinding("splits-overlap", "error", "in-both-splits", *_pairs(leaked))
    if len(both):
        yield DataFinding(
            "splits-overlap", "warning", "look-alike-between-splits", *_pairs(both), sure=False
        )


def _objects(seen: Pass) -> Findings:
    name, dataset = "dataset-python-objects-grow", seen.source.dataset
    for where, (count, kind) in objects.many(dataset).items():
        yield DataFinding(
            name,
            "warning",
            "many-objects",
            {"where": where, "count": count, "kind": kind},
        )
    for where, more in seen.grown.items():
        if more >= max(ENOUGH, seen.read // 2):
            yield DataFinding(
                name,
                "warning",
                "container-grows",
                {"where": where, "more": more, "samples": seen.read},
            )


def _of(part: Part, samples: int | None = None) -> dict[str, object]:
    """What most sentences begin with, and how many samples they are of."""
    return {"of": f"`{part.name}`: " if part.name else "", "samples": samples}


def _listed(labels: list[int]) -> str:
    return ", ".join(map(str, labels[:NAMED]))


def _pairs(pairs: Pairs) -> tuple[dict[str, object], tuple[int, ...]]:
    """How many, the first of them, and the samples that these are."""
    shown = ", ".join(f"{index} = {first}" for index, first in pairs[:3])
    more = ", ..." if len(pairs) > 3 else ""
    return {"pairs": f"{len(pairs)} ({shown}{more})"}, tuple(pairs[:NAMED, 0].tolist())
