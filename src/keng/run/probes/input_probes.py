"""Every input, and every position of a sequence, is there to be used."""

from __future__ import annotations

import torch
from torch import Tensor

from keng.run.probes.compare import difference, largest
from keng.run.probes.nested import LABELS, leaves, name_of, quoted
from keng.run.probes.results import Outcome, Verdict
from keng.run.probes.stage import Floats, Skip, Stage, other_values
from keng.run.probes.texts import text


def dead(stage: Stage) -> Outcome:
    """Gives every row the same value of one input: an output or the loss moves. Masks are judged by the
    probes of padding."""
    rows = stage.need_rows()
    order = [0] * rows.count
    base = stage.outputs(filled=True)
    unused = []
    for path, each in stage.by_path.items():
        if rows.axes.get(path) is None or name_of(path) in LABELS or _mask(each):
            continue
        inputs = rows.take(stage.inputs, order, only=path)
        if torch.equal(dict(leaves(inputs))[path], each):
            continue
        if (
            not _moves(base, stage.outputs(inputs, filled=True))
            and stage.loss(inputs) == stage.loss()
        ):
            unused.append(path)
    if not unused:
        return Outcome("dead", "inputs", "held")
    given = [
        path
        for path in stage.by_path
        if rows.axes.get(path) is not None and name_of(path) not in LABELS
    ]
    verdict: Verdict = "broken" if len(unused) == len(given) else "note"
    return Outcome("dead", "inputs", verdict, float("inf"), text("dead", names=quoted(unused)))


def context(stage: Stage) -> Outcome:
    """Replaces the first quarter of a sequence: some later output moves."""
    skipped = []
    base = stage.outputs(filled=True)
    for path, each, axis in stage.sequences:
        length = each.size(axis)
        early = max(1, length // 4)
        moved = stage.outputs(stage.replaced(path, other_values(each, axis, 0, early)), filled=True)
        seen = _later_moves(base, moved, length, early)
        if seen is False:
            all_of_it = stage.outputs(
                stage.replaced(path, other_values(each, axis, 0)), filled=True
            )
            if _moves(base, all_of_it):
                skipped.append(path)
    if not stage.sequences:
        raise Skip("no-sequences")
    if not skipped:
        return Outcome("context", "inputs", "held")
    return Outcome(
        "context", "inputs", "note", float("inf"), text("context", names=quoted(skipped))
    )


def _later_moves(base: Floats, moved: Floats, length: int, early: int) -> bool | None:
    """Whether a position after the early ones moves; None where no output has positions."""
    found = None
    for (_, one), (_, two) in zip(base, moved, strict=False):
        axes = [
            axis for axis in range(one.ndim) if one.size(axis) == length and one.shape == two.shape
        ]
        if axes:
            late = difference(one, two).movedim(axes[0], 0)[early:]
            found = bool(found) or largest(late) > 0
    return found


def _moves(base: Floats, moved: Floats) -> bool:
    return any(
        one.shape != two.shape or largest(difference(one, two)) > 0
        for (_, one), (_, two) in zip(base, moved, strict=False)
    )


def _mask(tensor: Tensor) -> bool:
    if tensor.ndim != 2:
        return tensor.dtype == torch.bool
    return tensor.dtype == torch.bool or set(torch.unique(tensor).tolist()) <= {0, 1}
