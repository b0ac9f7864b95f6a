"""Which axis of each input holds the samples of the batch, and the inputs with other samples in it."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Literal

import torch
from torch import Tensor

from keng.run.probes.nested import Path, leaves, name_of, rebuild

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
            self.count = int(self.groups.max()) + 1
            nodes = len(self.groups)
            self.axes = {
                path: 0
                for path, each in found
                if len(each) == nodes and each is not self.groups and "edge" not in name_of(path)
            }
            return
        lengths = _list_lengths(inputs)
        self.count = count or _most_likely(found, lengths, targets)
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
    """The size of the targets' first axis where an input has it, else the most common first axis."""
    for _, target in leaves(targets):
        size = target.size(0) if target.ndim else 0
        if size > 1 and (size in lengths or any(size in each.shape[:2] for _, each in found)):
            return size
    sizes = Counter(each.size(0) for _, each in found if each.size(0) > 1)
    sizes.update(size for size in lengths if size > 1)
    if not sizes:
        raise NoRows("no-rows")
    return sizes.most_common(1)[0][0]


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
