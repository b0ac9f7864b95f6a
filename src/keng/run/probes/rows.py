"""Which axis of each input holds the samples of the batch, and the inputs with other samples in it."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Literal

import torch
from torch import Tensor

from keng.run.probes.nested import LABELS, Path, leaves, name_of, rebuild

Axis = int | Literal["blocks"] | None
FEW = (7, 5, 11, 3)
"""Numbers of rows that seldom equal or divide another size."""


class NoRows(Exception):  # noqa: N818
    """Why a batch has no rows that could be changed: the id of a reason in text.toml."""


class Rows:
    """The rows of nested inputs: `count` of them, `axes` by the path of each tensor.

    An axis is 0, 1 (sequence first), "blocks" (several successive entries for each row), or None. A list of
    that length with an entry for each row counts as an axis. Nodes of graphs are grouped by a batch vector.
    Raises: NoRows.
    """

    def __init__(self, inputs: Any, targets: Any = None, count: int | None = None) -> None:
        found = [(path, each) for path, each in leaves(inputs) if each.ndim]
        self.groups = _graph_groups(found)
        self.axes: dict[Path, Axis] = {}
        if self.groups is not None:
            self.count, self.known = int(self.groups.max()) + 1, True
            nodes = len(self.groups)
            self.axes = {
                path: 0
                for path, each in found
                if len(each) == nodes and each is not self.groups and "edge" not in name_of(path)
            }
            return
        lengths = _list_lengths(inputs)
        self.count = count or _most_likely(found, lengths, targets)
        self.known = count is not None or bool(lengths) or _is_known(found, targets, self.count)
        for path, each in found:
            in_list = self.count in lengths and any(isinstance(key, int) for key in path[1:])
            self.axes[path] = None if in_list else _axis(each, self.count)

    def take(self, inputs: Any, chosen: Sequence[int], only: Path | None = None) -> Any:
        """The inputs with these rows, in this order. With `only`, just that tensor changes."""
        if self.groups is not None:
            return self._regrouped(inputs, chosen, only)
        index = torch.as_tensor(list(chosen))

        def leaf(path: Path, tensor: Tensor) -> Tensor:
            axis = self.axes.get(path)
            if axis is None or only not in (None, path):
                return tensor
            if axis == "blocks":
                size = tensor.size(0) // self.count
                entries = (index[:, None] * size + torch.arange(size)).reshape(-1)
                return tensor.index_select(0, entries.to(tensor.device))
            return tensor.index_select(axis, index.to(tensor.device))

        def rows(path: Path, value: Any) -> Any:
            listed = (
                len(value) == self.count and path and not isinstance(value[0], Tensor | int | float)
            )
            return type(value)(value[i] for i in chosen) if listed and only is None else None

        return rebuild(inputs, leaf, rows)

    def _regrouped(self, inputs: Any, chosen: Sequence[int], only: Path | None) -> Any:
        """The nodes of graph `a` overwritten by those of `chosen[a]`; edges stay."""
        assert self.groups is not None
        nodes = torch.arange(len(self.groups), device=self.groups.device)
        for target, source in enumerate(chosen):
            if target != source:
                read = (self.groups == source).nonzero()[:, 0]
                written = (self.groups == target).nonzero()[:, 0]
                nodes[written] = read[torch.arange(len(written)) % len(read)]
        return rebuild(
            inputs,
            lambda path, each: (
                each[nodes] if self.axes.get(path) == 0 and only in (None, path) else each
            ),
        )

    def fewer(self, inputs: Any) -> int | None:
        """A small number of rows that no other axis has or is a multiple of, nor differs from by 1."""
        if self.groups is not None or self.count <= 5:
            return None
        sizes = {
            size + off
            for _, each in leaves(inputs)
            for size in each.shape
            if size > 2
            for off in ((0, 1, -1) if size != self.count else (0,))
        }
        for few in FEW:
            others = (size for size in sizes if size % self.count)
            if few < self.count and not any(size % few == 0 for size in others):
                return few
        return None

    def swapped(self, inputs: Any) -> Rows | None:
        """The same with the second axis as the batch: sequences may come with the time first."""
        found = [
            (path, each)
            for path, each in leaves(inputs)
            if self.axes.get(path) == 0 and each.ndim > 1
        ]
        sizes = {each.size(1) for _, each in found}
        if len(sizes) != 1:
            return None
        new = copy.copy(self)
        new.count = sizes.pop()
        new.axes = {path: _axis(each, new.count) for path, each in leaves(inputs) if each.ndim}
        new.axes.update({path: 1 for path, _ in found})
        return new

    def cut(self, count: int) -> Rows:
        new = copy.copy(self)
        new.count = count
        return new


def _axis(tensor: Tensor, count: int) -> Axis:
    for axis in range(min(2, tensor.ndim)):
        if tensor.size(axis) == count:
            return axis
    folded = tensor.size(0) > count and tensor.size(0) % count == 0
    return "blocks" if folded else None


def _most_likely(found: list[tuple[Path, Tensor]], lengths: set[int], targets: Any) -> int:
    """The size that most inputs have as their first or second axis; of several, that of the targets' first
    axis, then the most common first axis."""
    if found and not lengths and all(each.size(0) == 1 for _, each in found):
        raise NoRows("no-rows")  # one sample, of which another axis is channels or time
    inputs: Counter[int] = Counter()
    for _, each in found:
        inputs.update({size for size in each.shape[:2] if size > 1})
    inputs.update(size for size in lengths if size > 1)
    if not inputs:
        raise NoRows("no-rows")
    trained = {each.size(0) for _, each in leaves(targets) if each.ndim}
    first = Counter(each.size(0) for _, each in found)
    first.update(dict.fromkeys(lengths, len(found)))
    return max(inputs, key=lambda size: (inputs[size], size in trained, first[size]))


def _is_known(found: list[tuple[Path, Tensor]], targets: Any, count: int) -> bool:
    """Whether something shows that this is the batch, and not the time of a sequence that comes first."""
    shapes = {tuple(each.shape[:2]) for _, each in found}
    for _, each in leaves(targets):
        per_row = each.ndim == 1 or tuple(each.shape[:2]) not in shapes
        if each.ndim and each.size(0) == count and per_row:
            return True
    return any(_shows_rows(path, each, count) for path, each in found) or _time_second(
        found, targets
    )


def _shows_rows(path: Path, tensor: Tensor, count: int) -> bool:
    """One number for each row, features of each, or an image."""
    if tensor.size(0) != count:
        return False
    return tensor.ndim == 1 or tensor.ndim > 3 or (tensor.ndim == 2 and tensor.is_floating_point())


def _time_second(found: list[tuple[Path, Tensor]], targets: Any) -> bool:
    """Whether a sequence runs along the second axis: zeros stand at the end of its rows alone, or its targets
    are its elements one position later."""
    tokens = [
        (path, each) for path, each in found if each.ndim == 2 and not each.is_floating_point()
    ]
    trained = [each for _, each in leaves(targets) if each.ndim == 2]
    trained += [each for path, each in tokens if name_of(path) in LABELS]
    return any(
        _ends_in_zeros(each) or any(_shifted(each, other) for other in trained)
        for _, each in tokens
    )


def _ends_in_zeros(tokens: Tensor) -> bool:
    real = (tokens != 0).long()
    along_rows, down_columns = (bool((real.diff(dim=axis) <= 0).all()) for axis in (1, 0))
    return bool((real == 0).any()) and along_rows and not down_columns


def _shifted(tokens: Tensor, targets: Tensor) -> bool:
    count = min(tokens.size(1) - 1, targets.size(1))
    if count < 2 or len(tokens) != len(targets):
        return False
    same = (targets[:, :count] == tokens[:, 1 : count + 1])[targets[:, :count] >= 0]
    return bool(same.numel()) and float(same.float().mean()) > 0.98


def _list_lengths(inputs: Any) -> set[int]:
    """Lengths of the lists that hold something structured for each row."""
    found: set[int] = set()

    def rows(path: Path, value: Any) -> None:
        if path and value and isinstance(value[0], (dict, list, tuple)):
            found.add(len(value))

    rebuild(inputs, lambda path, each: each, rows)
    return found


def _graph_groups(found: list[tuple[Path, Tensor]]) -> Tensor | None:
    """The batch vector of graphs. Raises: NoRows for one graph alone."""
    if not any("edge" in name_of(path) for path, _ in found):
        return None
    for path, each in found:
        if each.ndim != 1 or each.dtype != torch.long or "batch" not in name_of(path):
            continue
        if bool((each.diff() >= 0).all()) and int(each.max()) > 0:
            return each
    raise NoRows("one-graph")


def neighbours(count: int) -> Iterator[list[int]]:
    """For each of up to three rows: the order in which another row stands in its place."""
    few = min(3, count)
    for row in range(few):
        order = list(range(count))
        others = [j for j in range(count - 1, -1, -1) if j != row and j >= few]
        order[row] = others[0] if others else (row + 1) % count
        yield order
