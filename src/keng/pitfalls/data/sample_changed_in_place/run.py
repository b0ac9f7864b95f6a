"""A running program: samples of a dataset change each time they are fetched."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

import torch

from keng.model import Span, say
from keng.pitfalls.data._shared_run import can_be_known_again, length_of
from keng.run.events import Batch, BatchWanted, EpochBegin, EpochEnd
from keng.run.frames import is_user_made
from keng.run.recorder import Recorder
from keng.run.state import RunState, unwatched
from keng.run.user_code import lineage_of, uses

ROWS, VALUES, ARRAYS = 32, 64, 4
"""Rows of an array that are compared, by so many values spread over each; arrays of a dataset."""

Rows = dict[tuple[str, int], bytes]
"""Name of an attribute and index of a row -> its values."""


@dataclass(slots=True)
class Watched:
    """A dataset of the user's own. `suspects` are the rows that have changed from one epoch to the next, `before`
    what they held before the batch that is being fetched."""

    rows: Rows
    suspects: set[tuple[str, int]] = field(default_factory=set)
    before: Rows = field(default_factory=dict)
    judged: bool = False


class DriftingSamples(Recorder):
    """Compares some rows of the arrays that a dataset holds at each epoch. Rows that have changed are compared
    before and after each batch of the following epoch: only what fetching itself changes again is reported. A
    cache is filled once, and pseudo-labels are written between two batches."""

    dormant = (BatchWanted, Batch, EpochEnd)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.watched: WeakKeyDictionary[Any, Watched] = WeakKeyDictionary()

    def epoch_begin(self, event: EpochBegin) -> None:
        dataset = _own_dataset(event.iterator)
        if dataset is None:
            return
        known = self.watched.get(dataset)
        if known is None:
            self.watched[dataset] = Watched(_rows_of(dataset))
        elif known.rows and not known.judged and not known.suspects:
            now = _rows_of(dataset)
            known.suspects = {key for key, row in known.rows.items() if now.get(key, row) != row}
            known.rows = now
            if known.suspects:
                self.listen(BatchWanted, Batch, EpochEnd)

    def batch_wanted(self, event: BatchWanted) -> None:
        dataset = _own_dataset(event.iterator)
        known = self.watched.get(dataset) if dataset is not None else None
        if known is not None and known.suspects:
            known.before = _rows_of(dataset)

    def batch(self, event: Batch) -> None:
        dataset = _own_dataset(event.iterator)
        known = self.watched.get(dataset) if dataset is not None else None
        if known is None or not known.before:
            return
        before, known.before = known.before, {}
        now = _rows_of(dataset)
        changed = [key for key in known.suspects if key in now and before.get(key) != now[key]]
        if changed:
            self._judged(known)
            self._report(dataset, changed[0][0])

    def epoch_end(self, event: EpochEnd) -> None:
        """An epoch that begins with suspects is compared whole, as is the one in which they became such."""
        dataset = _own_dataset(event.iterator)
        known = self.watched.get(dataset) if dataset is not None else None
        if known is not None and known.suspects:
            self._judged(known)

    def _judged(self, known: Watched) -> None:
        known.judged = True
        known.suspects, known.before = set(), {}
        if not any(each.suspects for each in self.watched.values()):
            self.ignore(BatchWanted, Batch, EpochEnd)

    def _report(self, dataset: Any, name: str) -> None:
        says = say("samples-drift", data=f"self.{name}", kind=type(dataset).__name__)
        self.report(says, where=_used_at(type(dataset), name))


def _own_dataset(iterator: Any) -> Any:
    """The user's own map-style dataset under a loader without workers, which would change copies; None for
    others."""
    if iterator._dataset_kind != 0 or iterator._num_workers:
        return None
    dataset = iterator._dataset
    while not is_user_made(dataset) and hasattr(dataset, "dataset"):
        dataset = dataset.dataset
    followed = is_user_made(dataset) and can_be_known_again(dataset)
    return dataset if followed else None


def _rows_of(dataset: Any) -> Rows:
    """Single numbers are left out: a dataset may count how often it is asked for a sample."""
    found: Rows = {}
    with unwatched():
        for name, array in _arrays_of(dataset):
            apart = max(1, len(array) // ROWS)
            for at in range(0, len(array), apart):
                found[name, at] = _values_of(array[at])
    return found


def _arrays_of(dataset: Any) -> list[tuple[str, Any]]:
    """The attributes with a row of numbers for each sample, at most `ARRAYS`."""
    length = length_of(dataset)
    return [each for each in vars(dataset).items() if _is_table(each[1], length)][:ARRAYS]


def _is_table(array: Any, length: int) -> bool:
    if type(array) is torch.Tensor:
        plain = array.is_cpu and array.layout is torch.strided
    else:
        kind = getattr(array, "dtype", None)
        plain = type(array).__module__ == "numpy" and getattr(kind, "kind", "O") in "fiub"
    return bool(plain) and array.ndim > 1 and len(array) == length > 0 and _size_of(array[0]) > 1


def _size_of(row: Any) -> int:
    return int(row.numel() if isinstance(row, torch.Tensor) else row.size)


def _values_of(row: Any) -> bytes:
    flat = row.reshape(-1)
    flat = flat[:: max(1, -(-len(flat) // VALUES))]
    numbers = flat.detach().float().numpy() if isinstance(flat, torch.Tensor) else flat
    return bytes(numbers.tobytes())


def _used_at(kind: type, attribute: str) -> Span | None:
    """The first line of a method that reads the attribute."""
    for code, owner in lineage_of(kind):
        lines = [
            node.lineno
            for node in uses(kind, attribute)
            if hasattr(node, "lineno") and owner.lineno <= node.lineno <= (owner.end_lineno or 0)
        ]
        if lines:
            return Span(code.path, min(lines))
    return None
