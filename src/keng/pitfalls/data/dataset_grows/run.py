"""A running program: a dataset keeps everything that it has ever read."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from weakref import ref

from keng.model import say
from keng.run.events import EpochEnd
from keng.run.recorder import Recorder
from keng.run.state import RunState, memory_of, tensors_in
from keng.run.user_code import grown_at

IN_A_ROW = 3
MUCH = 4_000_000
"""Bytes. Notes of small things are kept on purpose, and are not felt."""


@dataclass(slots=True)
class Sizes:
    """Of the containers at the last look, and at how many looks in a row each has grown."""

    length: dict[str, int] = field(default_factory=dict)
    grown: dict[str, int] = field(default_factory=dict)


class DatasetContainers(Recorder):
    """Looked at when a pass ends. A dataset that keeps each sample it has made holds no more than it
    has."""

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.known: dict[int, tuple[ref[Any], Sizes]] = {}

    def epoch_end(self, event: EpochEnd) -> None:
        dataset = event.iterator._dataset
        kept = not event.iterator._num_workers and hasattr(dataset, "__dict__")
        if not kept or not hasattr(dataset, "__len__"):
            return
        known, sizes = self.known.get(id(dataset), (None, Sizes()))
        if known is None or known() is not dataset:
            known, sizes = ref(dataset), Sizes()
            self.known[id(dataset)] = known, sizes
        samples = len(dataset)
        for name, value in _containers(dataset):
            before, sizes.length[name] = sizes.length.get(name, 0), len(value)
            grows = len(value) > max(before, samples)
            sizes.grown[name] = sizes.grown.get(name, 0) + 1 if grows else 0
            if sizes.grown[name] == IN_A_ROW:
                self._say(dataset, name, value, samples)

    def _say(self, dataset: Any, name: str, value: Any, samples: int) -> None:
        held = len(value) * _size(_newest(value))
        if held >= MUCH:
            size = f"{held / 1e6:.0f}"
            says = say("grows", name=name, items=len(value), samples=samples, size=size)
            self.report(says, where=grown_at(type(dataset), name), items=len(value))


def _containers(dataset: Any) -> Iterator[tuple[str, Any]]:
    for name, value in list(vars(dataset).items()):
        if isinstance(value, (list, dict, set, deque)):
            yield name, value


def _newest(container: Any) -> Any:
    if isinstance(container, dict):
        return next(reversed(container.values()))
    return container[-1] if isinstance(container, (list, deque)) else next(iter(container))


def _size(item: Any) -> int:
    """Bytes: of the whole memory that a view keeps alive."""
    tensors = sum(memory_of(tensor)[1] for tensor in tensors_in(item))
    return tensors or int(getattr(item, "nbytes", 0)) or sys.getsizeof(item)
