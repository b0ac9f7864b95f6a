"""Loaders as their first batch comes, and what their datasets keep."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from keng.model import Span
from keng.run.events import EpochBegin
from keng.run.recorder import Fact, Recorder
from keng.run.state import RunState
from keng.run.user_code import assigned_at


class Kept(NamedTuple):
    """What a dataset keeps in an attribute. `made` is the line that assigns it, `items` how many there
    are."""

    attribute: str
    kind: str
    made: Span | None
    items: int = 0


class LoaderStarted(Fact):
    """The first batch of an epoch over a DataLoader of a map-style dataset. `epoch` counts from 1,
    `length` is the dataset's own. `iterator` is torch's own; `forks` where its workers are forked."""

    iterator: Any
    batch: Any
    workers: int
    epoch: int
    length: int
    forks: bool

    @property
    def dataset(self) -> Any:
        return self.iterator._dataset


class LoaderStarts(Recorder):
    """The first two epochs over each loader: with workers that persist, each counts as the first."""

    provides = (LoaderStarted,)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.epochs: WeakKeyDictionary[Any, int] = WeakKeyDictionary()

    def epoch_begin(self, event: EpochBegin) -> None:
        iterator = event.iterator
        if iterator._dataset_kind != 0:
            return
        sampler = iterator._index_sampler
        epoch = self.epochs[sampler] = self.epochs.get(sampler, 0) + 1
        length = length_of(iterator._dataset)
        if epoch > 2 or length < 0:
            return
        workers = getattr(iterator, "_workers", [])
        self.show(
            LoaderStarted(
                self.run,
                iterator,
                event.batch,
                workers=len(workers),
                epoch=epoch if not getattr(iterator, "_persistent_workers", False) else 1,
                length=length,
                forks=any("popen_fork" in type(w._popen).__module__ for w in workers),
            )
        )


def kept_by(holder: Any, wanted: Callable[[Any], bool]) -> Iterator[Kept]:
    """The attributes with a value that is wanted, where the class assigns them."""
    for name, value in list(getattr(holder, "__dict__", {}).items()):
        if wanted(value):
            made = assigned_at(type(holder), name)
            if made is not None:
                yield Kept(name, type(value).__name__, made, max(length_of(value), 0))


def length_of(value: Any) -> int:
    """-1 where it has none."""
    try:
        return len(value)
    except Exception:
        return -1
