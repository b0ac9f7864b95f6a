"""A running program: a resumed run trains on batches again, or skips some in every epoch."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from weakref import ref

import torch

from keng.model import Span, say
from keng.run.events import (
    Batch,
    CheckpointLoaded,
    EpochBegin,
    EpochEnd,
    Forward,
    RunEnd,
    StateRestored,
    Step,
)
from keng.run.frames import here
from keng.run.recorder import Recorder
from keng.run.state import RunState

FEWEST = 2
"""Batches that are skipped at the beginning of each pass: loaders may be one batch ahead."""
PASSES = 4
"""Passes over the loader that are followed."""
COUNTS = ("step", "iter", "batch")
"""Words in the keys of a checkpoint that count batches."""


@dataclass(slots=True)
class Pass:
    """One over a loader of `length` batches: those it returned, those in training, and those returned
    before the first of these."""

    length: int
    returned: int = 0
    trained: int = 0
    before: int = 0
    whole: bool = False


class ResumedPasses(Recorder):
    """Follows the batches of the loader that trains. Numbers of a checkpoint say where the run was left, if
    an optimizer is restored from it."""

    dormant = (Batch, Forward, Step, EpochEnd)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.sampler: ref[Any] | None = None
        self.now: Pass | None = None
        self.passes: list[Pass] = []
        self.stepped = False
        self.counters: dict[str, int] = {}
        self.left: tuple[str, int] | None = None
        self.place: Span | None = None
        self.where: Span | None = None

    def checkpoint_loaded(self, event: CheckpointLoaded) -> None:
        counters = dict(_counters(event.result)) if isinstance(event.result, dict) else {}
        if counters and not self.stepped:
            self.counters, self.place = counters, here()

    def state_restored(self, event: StateRestored) -> None:
        if isinstance(event.owner, torch.optim.Optimizer) and not self.stepped:
            self._resume(self.counters)

    def _resume(self, counters: dict[str, int]) -> None:
        epoch = counters.get("epoch", -1)
        named = [(key, n) for key, n in counters.items() if any(w in key for w in COUNTS)]
        if epoch >= 0 and len(named) == 1:
            self.left = named[0]

    def epoch_begin(self, event: EpochBegin) -> None:
        sampler = event.iterator._index_sampler
        mine = self.sampler is not None and self.sampler() is sampler
        if not mine and self.stepped:
            return  # another loader: of validation
        self._end_pass()
        self.sampler = ref(sampler)
        self.now = Pass(_length(event.iterator))
        self.listen(Batch, Forward, Step, EpochEnd)

    def batch(self, event: Batch) -> None:
        if (
            self.now is not None
            and self.sampler is not None
            and event.iterator._index_sampler is self.sampler()
        ):
            self.now.returned += 1
            self.now.before += not self.now.trained

    def forward(self, event: Forward) -> None:
        if self.now is not None and torch.is_grad_enabled() and event.module.training:
            self.now.trained += 1

    def step(self, event: Step) -> None:
        self.stepped = self.stepped or (self.now is not None and self.now.trained > 0)
        self.where = self.where or here()

    def epoch_end(self, event: EpochEnd) -> None:
        if (
            self.now is not None
            and self.sampler is not None
            and event.iterator._index_sampler is self.sampler()
        ):
            self.now.whole = True

    def run_end(self, event: RunEnd) -> None:
        self._end_pass()

    def _end_pass(self) -> None:
        now, self.now = self.now, None
        if now is None or not self.stepped or not now.trained:
            return
        self.passes.append(now)
        if len(self.passes) == 1:
            self._say_repeated(now)
        elif self._skips_always():
            says = say("skipped-in-each", count=now.before - 1, of=now.length)
            self.report(says, where=self.where, batches=now.before - 1)
            self._rest()
        if len(self.passes) >= PASSES:
            self._rest()

    def _say_repeated(self, first: Pass) -> None:
        """The first pass is a whole one, though the run was left in the middle of it."""
        if self.left is None or not first.whole or first.trained != first.length:
            return
        key, count = self.left
        epoch, rest = divmod(count, first.length)
        if rest and self.counters["epoch"] in (epoch, epoch + 1):
            values = {"key": key, "count": count, "rest": rest, "length": first.length}
            self.report(say("begins-again", **values), where=self.place, batches=rest)

    def _skips_always(self) -> bool:
        """Whether the last two passes left out the same number of batches at their beginning and no others."""
        return (
            all(
                each.whole
                and each.before > FEWEST
                and each.returned - each.trained == each.before - 1
                for each in self.passes[-2:]
            )
            and len({each.before for each in self.passes[-2:]}) == 1
        )

    def _rest(self) -> None:
        self.ignore(Batch, Forward, Step, EpochEnd, EpochBegin)


def _counters(state: Any, depth: int = 2) -> Iterator[tuple[str, int]]:
    """The whole numbers of a checkpoint, by their keys; not those of an optimizer or a schedule."""
    if "param_groups" in state or "_last_lr" in state:
        return
    for key, value in state.items():
        if isinstance(key, str) and type(value) is int and value >= 0:
            yield key, value
        elif depth and isinstance(value, dict):
            yield from _counters(value, depth - 1)


def _length(iterator: Any) -> int:
    try:
        return len(iterator)
    except TypeError:  # a stream
        return 0
