"""One pass over a dataset."""

from __future__ import annotations

from typing import Any

import numpy as np

from keng.toolbox.datasets import verdicts
from keng.toolbox.datasets.dividing import Team, read_together
from keng.toolbox.datasets.passes import Pass, Progress
from keng.toolbox.datasets.reports import DatasetReport, PartReport
from keng.toolbox.datasets.samples import Source
from keng.toolbox.datasets.values import Part

BINS = 32


def check_dataset(
    data: Any, *, against: Any = None, classes: int | None = None, progress: Progress | None = None
) -> DatasetReport:
    """Reads a dataset once, sample by sample, and says what is wrong with it: its length, shapes and
    dtypes that differ, NaN, Inf and constant samples, the range of pictures, labels, samples that are
    there twice, samples that raise, Python objects that workers would copy.

    `data` is a Dataset, an IterableDataset, any object read by index or in order, or a DataLoader,
    of which the dataset is read without workers. `against` is another split (its test set): samples
    that are in both leak. `classes` is the number of outputs, which labels are held to. `progress` is
    called with samples done and in all (0: not known).

    What is kept does not grow with the samples, but for digests of 16 bytes each (40 of pictures), at
    most 160 MB. Ctrl-C ends the pass; the report then tells of what was read (`interrupted`).

    Raises: TypeError where `data` cannot be read as a dataset, ValueError for less than one class.
    """
    report = check_part(None, data, against=against, classes=classes, progress=progress)
    assert report is not None
    return report


def check_part(
    team: Team | None,
    data: Any,
    *,
    against: Any = None,
    classes: int | None = None,
    progress: Progress | None = None,
) -> DatasetReport | None:
    """The same where several processes read the dataset, each a part of the indices; the report is rank
    0's, the others have none. It is that of one process, but for the last bits of means and deviations.

    Raises: TypeError for a dataset that has no indices to be divided as well.
    """
    if classes is not None and classes < 1:
        raise ValueError(f"there is at least one class, not {classes}")
    first = _pass(data, team)
    second = _pass(against, team) if against is not None else None
    passes = [each for each in (first, second) if each is not None]
    whole = True
    if team is None:
        _read(passes, progress)
    else:
        whole = read_together(team, passes, lambda: _read(passes, progress))
    first.interrupted |= any(each.missing for each in passes)
    return _report(first, second, classes) if whole else None


def _pass(data: Any, team: Team | None) -> Pass:
    source = Source(data)
    if team is None:
        return Pass(source)
    if not source.indexed:
        name = type(source.dataset).__name__
        raise TypeError(f"{name} has no indices that {team.world} processes could divide")
    return Pass(source, team.share(source.length or 0))


def _read(passes: list[Pass], progress: Progress | None) -> None:
    try:
        for each in passes:
            each.run(progress)
    except KeyboardInterrupt:
        passes[0].interrupted = True
    for each in passes:
        each.flush()


def _report(seen: Pass, other: Pass | None, classes: int | None) -> DatasetReport:
    slowest = tuple((index, seconds) for seconds, index in sorted(seen.slowest, reverse=True))
    passes = [each for each in (seen, other) if each is not None]
    return DatasetReport(
        length=seen.source.length,
        read=seen.read,
        failed=seen.failed,
        parts=tuple(_part(part) for part in seen.parts.values()),
        findings=tuple(verdicts.of(seen, other, classes)),
        seconds=seen.seconds,
        nbytes=seen.nbytes,
        slowest=slowest,
        interrupted=seen.interrupted,
        missing=tuple((r.start, r.stop - 1) for each in passes for r in each.missing),
    )


def _part(part: Part) -> PartReport:
    shapes = {shape: seen.count for shape, seen in part.shapes.items()}
    dtypes = {dtype: seen.count for dtype, seen in part.dtypes.items()}
    if not len(part.reservoir.values):
        return PartReport(part.name, shapes, dtypes)
    return PartReport(
        part.name,
        shapes,
        dtypes,
        part.minimum,
        part.maximum,
        part.mean,
        part.deviation,
        _histogram(part),
        part.labels.classes,
    )


def _histogram(part: Part) -> tuple[int, ...]:
    """Counted between 0 and 1: numpy makes no bins for values that lie as close together as 64 bits allow,
    as times in nanoseconds do."""
    span = part.maximum - part.minimum
    shares = (part.reservoir.values - part.minimum) / (span or 1.0)
    return tuple(np.histogram(shares, BINS, (0.0, 1.0))[0].tolist())
