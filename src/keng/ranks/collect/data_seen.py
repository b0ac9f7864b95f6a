"""What a rank reports of the data and the random numbers that it trains with."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from torch.nn import Module
from torch.utils.data import DistributedSampler, RandomSampler

from keng.model import Span
from keng.ranks.collect import digests
from keng.ranks.collect.parallel_models import is_parallel
from keng.ranks.collect.section import Looks, Part
from keng.ranks.reports import Fed, Pass, Shuffled
from keng.run.events import BackwardEnd, Batch, Forward, ForwardEnd
from keng.run.frames import here
from keng.run.state import RunState, tensors_in, unwatched

if TYPE_CHECKING:
    from torch import Tensor

WINDOW = 4
"""Compared steps whose batches and random states are reported together."""
MOST_ROWS = 4096
"""Samples of a pass by which ranks that draw from all of the data are seen to draw the same."""


@dataclass(slots=True)
class Taken:
    """A batch that a DataLoader has handed out, to be reported where it is trained on."""

    digests: list[Tensor]
    size: int
    where: Span | None
    rows: Tensor | None = None


@dataclass(slots=True)
class Shuffle:
    """A pass over all of the data, in an order of this rank's own."""

    size: int
    rows: list[Tensor] = field(default_factory=list)
    drawn: int = 0
    where: Span | None = None


@dataclass(slots=True)
class Round:
    """A pass over a sampler: how many in a row had its epoch, and whether it has been trained on."""

    epoch: int
    passes: int
    where: Span | None
    trained: bool = False


class Feeds(Part):
    dozes = (BackwardEnd,)

    def __init__(self, run: RunState, looks: Looks) -> None:
        super().__init__(run, looks)
        self._taken: Taken | None = None
        self._trained: deque[Taken] = deque(maxlen=WINDOW)
        self._rounds: WeakKeyDictionary[Any, Round] = WeakKeyDictionary()
        self._round: Round | None = None
        self._passes = 0
        self._shuffle: Shuffle | None = None

    def batch(self, event: Batch) -> None:
        if event.iterator._num_yielded == 1:
            sampler = _sampler(event.iterator)
            self._begin(sampler if isinstance(sampler, DistributedSampler) else None)
            self._shuffle = Shuffle(size) if (size := _shuffled(sampler)) else None
            self._passes += 1
        if self.looks.now:
            tensors = [t for t in tensors_in(event.batch) if digests.is_whole(t)]
            size = next((t.shape[0] for t in tensors if t.dim()), 0)
            with unwatched():
                rows = digests.rows(tensors, size) if self._shuffle is not None else None
                self._taken = Taken([digests.digest(t) for t in tensors], size, here(), rows)

    def backward_end(self, event: BackwardEnd) -> None:
        if not event.accumulates:
            return
        if self._round is not None:
            self._round.trained = True
        if self._taken is not None and self._taken.digests:
            self._trained.append(self._taken)
            self._keep(self._taken)
            self._taken = None
        if not self.looks.now:
            self.ignore(BackwardEnd)

    def draft(self) -> Callable[[], Mapping[str, Any]]:
        taken = tuple(self._trained)
        rounds = [r for r in self._rounds.values() if r.trained and r.passes > 1]
        passes = tuple(Pass(r.passes, r.epoch, r.where) for r in rounds)

        shuffle, number = self._shuffle, self._passes
        kept = list(shuffle.rows) if shuffle is not None else []

        def read() -> Mapping[str, Any]:
            fed = [Fed(hash(tuple(digests.numbers(t.digests))), t.size, t.where) for t in taken]
            rows = tuple(row for each in kept for row in each.tolist())
            drawn = Shuffled(number, shuffle.size, rows, shuffle.where) if shuffle else None
            return {"batches": tuple(fed), "passes": passes, "shuffled": drawn}

        return read

    def _keep(self, taken: Taken) -> None:
        shuffle = self._shuffle
        if shuffle is None or taken.rows is None or shuffle.drawn >= MOST_ROWS:
            return
        shuffle.rows.append(taken.rows)
        shuffle.drawn += taken.size
        shuffle.where = taken.where

    def _begin(self, sampler: DistributedSampler[Any] | None) -> None:
        self._round = None
        if sampler is None or not sampler.shuffle:
            return
        last = self._rounds.get(sampler)
        again = last is not None and last.trained and last.epoch == sampler.epoch
        passes = last.passes + 1 if last is not None and again else 1
        self._round = self._rounds[sampler] = Round(sampler.epoch, passes, here())
        self.listen(BackwardEnd)


class Draws(Part):
    """Random states before each forward, kept while something is drawn from them."""

    dozes = (Forward, ForwardEnd)

    def __init__(self, run: RunState, looks: Looks) -> None:
        super().__init__(run, looks)
        self._states: dict[str, deque[int]] = {}
        self._torch = 0

    def forward(self, event: Forward) -> None:
        if not self._is_due(event.module):
            return
        self._torch = digests.of_torch()
        for name, state in digests.of_others().items():
            states = self._states.setdefault(name, deque(maxlen=WINDOW))
            if state in states:  # nothing was drawn since
                states.clear()
            states.append(state)

    def forward_end(self, event: ForwardEnd) -> None:
        # What loaders draw to seed their workers is not compared: only what the forward draws.
        if not self._is_due(event.module):
            return
        states = self._states.setdefault("torch", deque(maxlen=WINDOW))
        if digests.of_torch() == self._torch:
            states.clear()
        else:
            states.append(self._torch)

    def draft(self) -> Callable[[], Mapping[str, Any]]:
        drawn = {name: tuple(states) for name, states in self._states.items()}
        return lambda: {"drawn": drawn}

    def _is_due(self, module: Module) -> bool:
        return module.training and is_parallel(module)


def _sampler(iterator: Any) -> Any:
    """What a loader goes by, itself or through batches."""
    sampler = iterator._index_sampler
    return getattr(sampler, "sampler", sampler)


def _shuffled(sampler: Any) -> int:
    """How many samples a pass draws, where it draws each of its data once; else 0."""
    if type(sampler) is not RandomSampler or sampler.replacement:
        return 0
    size = len(sampler.data_source)
    return size if sampler.num_samples == size else 0
