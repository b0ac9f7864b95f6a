"""What is said of a dataset that was read. What may be meant (lengths that vary, classes that are
rare, copies of a picture) is not sure."""

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
    from keng.toolbox.datasets.checking import Pass

FEW = 0.05
"""Share of the samples up to which those that differ are taken for mistakes, not for variety."""
ENOUGH = 20
"""Samples from which on it says something that all have one label."""
RARE = 20.0
"""Times that the most frequent class outnumbers the rarest."""

Findings = Iterator[DataFinding]


def of(seen: Pass, other: Pass | None, classes: int | None) -> Findings:
    """All findings, in the order in which they are best mended."""
    yield from _failures(seen)
    yield from _length(seen)
    for part in seen.parts.values():
        yield from _kinds(part, seen)
        yield from _numbers(part)
        yield from _scale(part)
        yield from _labels(part, classes)
    yield from _twins(seen.digests, other.digests if other is not None else None)
    for finding in _failures(other) if other is not None else ():
        yield replace(finding, says=f"the other split: {finding.says}")
    yield from _objects(seen)


def _failures(seen: Pass) -> Findings:
    for kind, some in seen.failures.items():
        if not (seen.past_end.count and kind.startswith("IndexError") and _to_the_end(seen, some)):
            says = f"{_samples(some.count)} cannot be read: {kind}"
            yield DataFinding("sample-raises", "error", says, tuple(some.first))


def _to_the_end(seen: Pass, some: Some) -> bool:
    return bool(seen.past_end.first and some.first[0] >= seen.past_end.first[0])


def _length(seen: Pass) -> Findings:
    length, source = seen.source.length, seen.source
    if length is None or seen.interrupted:
        return
    if seen.past_end.count:
        end = seen.past_end.first[0]
        says = f"len() is {length}, and from {end} on every index raises IndexError"
        yield DataFinding("dataset-length", "error", says, tuple(seen.past_end.first))
    elif not source.indexed and length != seen.read + seen.failed:
        says = f"len() is {length}, and {seen.read + seen.failed} samples come"
        yield DataFinding("dataset-length", "error", says)
    elif source.indexed and length and (held := _held(source, length)):
        says = f"len() is {length}, and {held} samples can be read: the last are never seen"
        yield DataFinding("dataset-length", "warning", says, (length,))
    if length == 0:
        yield DataFinding("empty-dataset", "error", "there is no sample")


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
        names = ", ".join(kind for kind in kinds if kind != usual)
        says = f"{_of(part)}{_samples(rest)} of {all_} have {what} {names[:80]}, the others {usual}"
        sure = rest <= max(1, FEW * all_) and not (seen.source.collates and what == "shape")
        name = "collate-size-mismatch" if what == "shape" else "dtype-varies"
        yield DataFinding(name, "warning", says, tuple(odd[:NAMED]), sure)
    held = sum(some.count for some in part.shapes.values())
    if held < seen.read and not seen.source.collates:
        says = f"{_of(part)}only {held} of {seen.read} samples have it"
        yield DataFinding("part-missing", "warning", says)


def _numbers(part: Part) -> Findings:
    for some, what in ((part.nan, "NaN"), (part.inf, "Inf")):
        if some.count:
            says = f"{_of(part)}{what} in {_samples(some.count)}"
            yield DataFinding("dirty-data", "error", says, tuple(some.first))
    if part.constant.count:
        # Masks without an object and features that are all zero are innocent.
        says = f"{_of(part)}one value everywhere in {_samples(part.constant.count)}"
        few = part.constant.count <= max(1, FEW * part.pictures)
        where = tuple(part.constant.first)
        yield DataFinding("dirty-data", "warning", says, where, bool(part.pictures) and few)


def _scale(part: Part) -> Findings:
    """Pictures of floats, next to 0 to 1 and to what a normalization makes of that."""
    if not part.pictures:
        return
    low, high, name = part.minimum, part.maximum, "image-scale-unexpected"
    shown = f"{_of(part)}{low:.4g} to {high:.4g}"
    bright = part.unscaled.count
    if high > 100 and 0 < bright <= FEW * part.pictures:
        says = f"{shown}: {_samples(bright)} of {part.pictures} reach above 2, as if not divided by 255"
        yield DataFinding(name, "warning", says, tuple(part.unscaled.first))
    elif 100 < high <= 255 and low >= 0 and part.whole == part.pictures:
        yield DataFinding(
            name, "warning", f"{shown} in whole numbers: floats that were not divided by 255"
        )
    elif high > 300 and -3 < low < 0 and max(part.deviation) > 20:
        yield DataFinding(
            name, "warning", f"{shown}: normalized without being divided by 255 before"
        )
    elif 0 < high <= 1 / 255 and low >= 0:
        yield DataFinding(name, "warning", f"{shown}: divided by 255 twice")


def _labels(part: Part, classes: int | None) -> Findings:
    had = part.labels.classes
    if not had:
        return
    outside = [label for label in had if classes is not None and not 0 <= label < classes]
    where = ", ".join(map(str, outside[:NAMED]))
    if outside:
        says = (
            f"{_of(part)}labels {where} are not among {classes} classes, 0 to {(classes or 1) - 1}"
        )
        yield DataFinding("label-out-of-range", "error", says)
    elif min(had) == 1 and len(had) > 2 and not part.labels.missing:
        says = f"{_of(part)}labels are 1 to {max(had)}: {max(had)} outputs take 0 to {max(had) - 1}"
        yield DataFinding("label-out-of-range", "warning", says, sure=False)
    missing = [c for c in range(classes) if c not in had] if classes else part.labels.missing
    if missing:
        says = f"{_of(part)}no sample of {', '.join(map(str, missing[:NAMED]))}"
        yield DataFinding("class-missing", "warning", says, sure=classes is not None)
    if len(had) == 1 and sum(had.values()) >= ENOUGH:
        says = f"{_of(part)}every sample has {next(iter(had))}"
        yield DataFinding("label-constant", "warning", says)
    if (times := part.labels.imbalance) >= RARE:
        rare = min(had, key=lambda label: had[label])
        says = f"{_of(part)}the rarest, {rare}, has {had[rare]}, the most frequent {times:.0f} times that"
        yield DataFinding("class-imbalance", "hint", says, sure=False)


def _twins(mine: Digests, other: Digests | None) -> Findings:
    if mine.left_out:
        says = f"only the first {len(mine.exact)} samples are compared with each other"
        yield DataFinding("duplicate-samples", "hint", says)
    pairs = mine.repeats()
    if len(pairs):
        says = f"repeats of earlier samples: {len(pairs)} ({_pairs(pairs)})"
        yield DataFinding("duplicate-samples", "warning", says, _first(pairs))
    near = mine.lookalikes()
    if len(near):
        says = f"pictures that look alike: {len(near)} ({_pairs(near)})"
        yield DataFinding("near-duplicates", "hint", says, _first(near), sure=False)
    if other is None:
        return
    leaked = mine.repeats(other)
    if len(leaked):
        says = f"samples that are in the other split as well: {len(leaked)} ({_pairs(leaked)})"
        yield DataFinding("splits-overlap", "error", says, _first(leaked))
    both = mine.lookalikes(other)
    if len(both):
        says = f"pictures of the two splits that look alike: {len(both)} ({_pairs(both)})"
        yield DataFinding("splits-overlap", "warning", says, _first(both), sure=False)


def _objects(seen: Pass) -> Findings:
    name, dataset = "dataset-python-objects-grow", seen.source.dataset
    for where, (count, kind) in objects.many(dataset).items():
        says = f"`{where}` holds {count} objects ({kind}): every worker comes to copy them"
        yield DataFinding(name, "warning", says)
    after = objects.sizes(dataset)
    for where, before in seen.before.items():
        more = after.get(where, 0) - before
        if more >= max(ENOUGH, seen.read // 2):
            says = (
                f"`{where}` grew by {more} in {seen.read} samples: each worker would fill its own"
            )
            yield DataFinding(name, "warning", says)


def _of(part: Part) -> str:
    return f"`{part.name}`: " if part.name else ""


def _samples(count: int) -> str:
    return "1 sample" if count == 1 else f"{count} samples"


def _pairs(pairs: Pairs) -> str:
    shown = ", ".join(f"{index} is {first}" for index, first in pairs[:3])
    return shown + (", ..." if len(pairs) > 3 else "")


def _first(pairs: Pairs) -> tuple[int, ...]:
    return tuple(pairs[:NAMED, 0].tolist())
