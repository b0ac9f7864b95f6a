"""Rows of a batch are independent: none may move another's output."""

from __future__ import annotations

import torch
from torch import Tensor

from keng.run.probes.compare import difference, largest, other_rows, shared_response
from keng.run.probes.nested import Path, part_of
from keng.run.probes.results import Outcome, Verdict
from keng.run.probes.rows import neighbours
from keng.run.probes.stage import Skip, Stage
from keng.run.probes.texts import text


def mix(stage: Stage) -> Outcome:
    """Copies another row over row a, then b, then c: no other row's output moves, and no element of an output
    answers to two of them."""
    rows = stage.need_rows(3)
    runs = [stage.outputs(rows.take(stage.inputs, order)) for order in neighbours(rows.count)]
    worst, where, square = 0.0, (), False
    for index, (path, base) in enumerate(stage.base_outputs):
        others = [run[index][1] for run in runs]
        if not _has_rows(stage, index) or any(each.shape != base.shape for each in others):
            continue
        axis = _row_axes(stage)[index][2]
        signal = shared_response(base, others, rows.count)
        if axis is not None:
            signal = max(signal, other_rows(base, others, axis))
        pairs = list(base.shape[-2:]).count(rows.count) == 2
        if signal > worst and not (square and not pairs):
            worst, where, square = signal, path, pairs
    if worst > 1 and square:
        return Outcome("mix", "rows", "note", worst, text("mix-note", output=part_of(where)))
    return _outcome("mix", worst, where)


def permute(stage: Stage) -> Outcome:
    """Rolls the rows: the outputs roll with them."""
    _check_exact(stage)
    rows = stage.need_rows()
    order = [(row + 1) % rows.count for row in range(rows.count)]
    worst: tuple[float, Path] = (0.0, ())
    rolled = stage.outputs(rows.take(stage.inputs, order))
    for (path, base, axis), (_, other) in zip(_row_axes(stage), rolled, strict=False):
        if axis is not None and other.shape == base.shape:
            expected = base.index_select(axis, torch.tensor(order, device=base.device))
            signal = stage.beyond_rounding(path, base, largest(difference(expected, other)))
            worst = max(worst, (signal, path), key=lambda each: each[0])
    return _outcome("permute", *worst)


def alone(stage: Stage) -> Outcome:
    """Runs row 0 by itself: the same result as in its batch."""
    _check_exact(stage)
    rows = stage.need_rows()
    worst: tuple[float, Path] = (0.0, ())
    single = stage.outputs(rows.take(stage.inputs, [0]))
    for (path, base, axis), (_, other) in zip(_row_axes(stage), single, strict=False):
        if axis is not None and other.ndim == base.ndim and other.size(axis) == 1:
            if not base.numel():
                continue
            gap = largest(difference(base.select(axis, 0), other.select(axis, 0)))
            worst = max(
                worst, (stage.beyond_rounding(path, base, gap), path), key=lambda each: each[0]
            )
    return _outcome("alone", *worst)


def _check_exact(stage: Stage) -> None:
    rows = stage.need_rows()
    if rows.groups is not None:
        raise Skip("graphs")
    if stage.random:
        raise Skip("random")


def _row_axes(stage: Stage) -> list[tuple[Path, Tensor, int | None]]:
    """Each output with its axis of rows: the one that becomes 1 with one row."""
    count, one = stage.need_rows().count, stage.one_row
    found = []
    for index, (path, base) in enumerate(stage.base_outputs):
        other = one[index][1] if one is not None and index < len(one) else None
        axes = [axis for axis in range(base.ndim) if base.size(axis) == count]
        if other is not None:
            axes = [axis for axis in axes if _shrinks(base, other, axis)]
        found.append((path, base, axes[0] if axes else None))
    return found


def _shrinks(base: Tensor, other: Tensor, axis: int) -> bool:
    rest = base.shape[:axis] + base.shape[axis + 1 :]
    return (
        other.ndim == base.ndim
        and other.size(axis) == 1
        and other.shape[:axis] + other.shape[axis + 1 :] == rest
    )


def _has_rows(stage: Stage, index: int) -> bool:
    """Whether an output has an entry, or several successive ones, for each row: a statistic has none."""
    _, base, axis = _row_axes(stage)[index]
    if axis is not None or stage.need_rows().groups is not None:
        return axis is not None or base.numel() >= stage.need_rows().count
    one = stage.one_row
    if one is None:
        return base.numel() >= stage.need_rows().count
    other, count = one[index][1], stage.need_rows().count
    if list(base.shape).count(count) > 1 and other.numel() * count**2 == base.numel():
        return True  # every row against every row
    return other.ndim == base.ndim and other.numel() * count == base.numel()


def _outcome(probe: str, signal: float, path: Path) -> Outcome:
    verdict: Verdict = "broken" if signal > 1 else "held"
    return Outcome(probe, "rows", verdict, signal, text(probe, output=part_of(path)))
