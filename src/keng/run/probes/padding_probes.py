"""Padding must not move the results at real positions."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import Module

from keng.run.probes.compare import OTHER_POSITIONS, difference, largest, tolerance
from keng.run.probes.nested import LABELS, Path, name_of, part_of, quoted, rebuild
from keng.run.probes.padding import Padding, paddings
from keng.run.probes.results import Outcome, Verdict
from keng.run.probes.stage import Observe, Skip, Stage, other_values
from keng.run.probes.texts import text

LOSS_ROUNDING = 64 * 1.2e-7


def pad_content(stage: Stage) -> Outcome:
    """Replaces what lies under the padding mask: outputs of real positions do not move."""
    masked = [each for each in paddings(stage) if each.told_by is not None]
    if not masked:
        raise Skip("no-mask")
    worst: tuple[float, Path] = (0.0, ())
    for padding in masked:
        moved = stage.outputs(replaced_padding(stage, padding))
        worst = max(worst, valid_movement(stage, padding, moved), key=lambda each: each[0])
    return _outcome("pad_content", [each.path for each in masked], *worst)


def pad_amount(stage: Stage) -> Outcome:
    """Cuts one row to its own length: it gives the same result as padded."""
    if stage.random:
        raise Skip("random")
    found = paddings(stage)
    return _outcome("pad_amount", [each.path for each in found], *_cut_movement(stage, found))


def pad_row(stage: Stage) -> Outcome:
    """Where the amount of padding counts: gives embeddings the zeros that their `padding_idx` declares. If it
    no longer counts then, the row of `padding_idx` is to blame."""
    if stage.random:
        raise Skip("random")
    found = paddings(stage)
    if not _filled_rows(stage.call.model):
        return Outcome("pad_row", "padding", "held")
    signal, path = _cut_movement(stage, found)
    if signal <= 1 or _cut_movement(stage, found, _zero_rows)[0] > 1:
        return Outcome("pad_row", "padding", "held")
    return _outcome("pad_row", [each.path for each in found], signal, path)


def _cut_movement(
    stage: Stage, found: list[Padding], observe: Observe | None = None
) -> tuple[float, Path]:
    """The largest change of an output of a row that is cut to its own length."""
    worst: tuple[float, Path] = (0.0, ())
    rows = stage.need_rows()
    for padding in found:
        row, kept = longest_padding(padding)
        full = stage.outputs(rows.take(stage.inputs, [row]), observe=observe)
        short = stage.outputs(cut_row(stage, padding), observe=observe)
        for (_, all_rows), (path, base), (_, other) in zip(
            stage.base_outputs, full, short, strict=False
        ):
            if all_rows.ndim == 1 and all_rows.size(0) != rows.count:
                continue  # a statistic
            gap = _kept_gap(base, other, kept, padding.absent.size(1))
            signal = stage.beyond_rounding(path, base, gap)
            worst = max(worst, (signal, path), key=lambda each: each[0])
    return worst


def _filled_rows(model: Module) -> list[nn.Embedding]:
    """The embeddings whose row of `padding_idx` is not zero."""
    found = (each for each in model.modules() if isinstance(each, nn.Embedding))
    return [e for e in found if e.padding_idx is not None and bool(e.weight[e.padding_idx].any())]


def _zero_rows(model: Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The output of a copy whose embeddings return zeros for `padding_idx`."""

    def hook(embedding: Any, given: tuple[Tensor, ...], output: Tensor) -> Tensor:
        return output.masked_fill((given[0] == embedding.padding_idx).unsqueeze(-1), 0)

    for each in _filled_rows(model):
        each.register_forward_hook(hook)
    return model(*args, **kwargs)


def pad_loss(stage: Stage) -> Outcome:
    """Replaces the labels of padded positions: the loss stays the same."""
    if stage.criterion is None:
        raise Skip("no-loss")
    padding = paddings(stage)[0]
    changed = []

    def swap(path: Path, each: Tensor) -> Tensor:
        if not _labels_of(each, padding):
            return each
        changed.append(path)
        return _other_labels(each, padding.absent)

    inputs = rebuild(
        stage.inputs, lambda path, each: swap(path, each) if name_of(path) in LABELS else each
    )
    targets = rebuild(stage.targets, swap)
    if not changed:
        raise Skip("no-position-labels")
    one, two = stage.loss(), stage.loss(inputs, targets)
    assert one is not None
    assert two is not None
    signal = abs(one - two) / (LOSS_ROUNDING * max(abs(one), 1e-12))
    verdict: Verdict = "broken" if signal > 1 else "held"
    return Outcome("pad_loss", "padding", verdict, signal, text("pad_loss"))


def replaced_padding(stage: Stage, padding: Padding) -> Any:
    tensor = stage.by_path[padding.path]
    absent = padding.oriented if tensor.ndim == 2 else padding.oriented[..., None]
    new = torch.where(absent, other_values(tensor, padding.axis, 0), tensor)
    return stage.replaced(padding.path, new)


def longest_padding(padding: Padding) -> tuple[int, Tensor]:
    """The row with the most padding, and its real positions."""
    row = int(padding.absent.sum(1).argmax())
    return row, (~padding.absent[row]).nonzero()[:, 0]


def cut_row(stage: Stage, padding: Padding) -> Any:
    """That row by itself, without its padding: in the sequence and in whatever is padded like it."""
    row, kept = longest_padding(padding)
    rows, length = stage.need_rows(), padding.absent.size(1)

    def cut(path: Path, each: Tensor) -> Tensor:
        axis, full = rows.axes.get(path), stage.by_path[path]
        if axis not in (0, 1) or each.ndim < 2:
            return each
        if path != padding.path and not _padded_alike(full, axis, padding.absent):
            return each
        for place in range(each.ndim):
            if place != axis and each.size(place) == length:
                each = each.index_select(place, kept)
        return each

    return rebuild(rows.take(stage.inputs, [row]), cut)


def _padded_alike(tensor: Tensor, axis: int, absent: Tensor) -> bool:
    rows_first = tensor if axis == 0 else tensor.transpose(0, 1)
    if tuple(rows_first.shape[:2]) != tuple(absent.shape):
        return False
    return len(torch.unique(rows_first[absent])) == 1


def valid_movement(
    stage: Stage, padding: Padding, moved: list[tuple[Path, Tensor]]
) -> tuple[float, Path]:
    """The largest change of an output at a real position, or of one without positions."""
    rows, length = padding.absent.shape
    worst: tuple[float, Path] = (0.0, ())
    for (path, base), (_, other) in zip(stage.base_outputs, moved, strict=False):
        if base.shape != other.shape or base.ndim in (0, 4):
            continue
        gap = difference(base, other)
        if base.ndim >= 2 and base.shape[:2] == (rows, length):
            gap = gap[~padding.absent]
        elif base.ndim >= 2 and base.shape[:2] == (length, rows):
            gap = gap.transpose(0, 1)[~padding.absent]
        elif base.size(0) != rows:
            continue
        worst = max(
            worst, (largest(gap) / tolerance(base, OTHER_POSITIONS), path), key=lambda each: each[0]
        )
    return worst


def _kept_gap(base: Tensor, other: Tensor, kept: Tensor, length: int) -> float:
    """How far the result of a row without its padding is from the one with it."""
    if base.ndim != other.ndim or base.ndim in (0, 4):
        return 0.0
    for axis in range(base.ndim):
        if base.size(axis) == length and other.size(axis) == len(kept):
            base = base.index_select(axis, kept)
    return largest(difference(base, other)) if base.shape == other.shape else 0.0


def _labels_of(tensor: Tensor, padding: Padding) -> bool:
    """Labels belong to a sequence if they are constant under its padding."""
    whole = tensor.dtype == torch.int64 and tensor.shape == padding.absent.shape
    return whole and len(torch.unique(tensor[padding.absent])) == 1


def _other_labels(labels: Tensor, absent: Tensor) -> Tensor:
    values = torch.unique(labels[labels >= 0])
    place = torch.searchsorted(values, labels.clamp(min=0).contiguous()) + 1
    return torch.where(absent & (labels >= 0), values[place % len(values)], labels)


def _outcome(probe: str, changed: list[Path], signal: float, path: Path) -> Outcome:
    if signal <= 1:
        return Outcome(probe, "padding", "held", signal)
    seen = text(probe, names=quoted(changed), output=part_of(path))
    return Outcome(probe, "padding", "broken", signal, seen)
