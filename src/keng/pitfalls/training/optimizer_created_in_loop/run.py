"""A running program: an optimizer that has just been created takes the place of one that has stepped once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from weakref import ref

import torch

from keng.model import Span, say
from keng.run.events import EpochBegin, NewOptimizer, StepEnd
from keng.run.frames import here
from keng.run.optimizers import parameters_of, sample_of
from keng.run.recorder import Recorder
from keng.run.state import RunState, unwatched
from keng.run.user_code import codes, line

if TYPE_CHECKING:
    from torch import Tensor

TIMES = 8
"""Optimizers in a row. Fewer may be the phases of one training."""
PASSES = 4
"""Passes over one loader in a row, each with an optimizer of its own."""
KNOWN = 16
"""Optimizers that are followed at once."""


@dataclass(slots=True)
class Stepped:
    """An optimizer that has stepped once: how its first parameter was left, and the number of such optimizers
    in a row."""

    optimizer: ref[Any]
    parameter: ref[Tensor]
    left: Tensor
    times: int

    def is_as_left(self) -> bool:
        """False where the weights were put back, as in an inner loop of meta-learning."""
        parameter = self.parameter()
        return parameter is not None and bool((sample_of(parameter) == self.left).all())


class ShortLivedOptimizers(Recorder):
    """An optimizer with a state, of the same parameters, at each step. A second step of one ends the row."""

    dormant = (StepEnd,)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.stepped: dict[int, Stepped] = {}
        self.times = 0

    def new_optimizer(self, event: NewOptimizer) -> None:
        first = _first(event.optimizer)
        if first is None or len(self.stepped) >= KNOWN:
            return
        last = self.stepped.pop(id(first), None)
        with unwatched():
            follows = last is not None and not event.optimizer.state and last.is_as_left()
        self.times = last.times + 1 if last is not None and follows else 1
        self.listen(StepEnd)

    def step_end(self, event: StepEnd) -> None:
        optimizer, first = event.optimizer, _first(event.optimizer)
        known = self.stepped.pop(id(first), None)
        if first is not None and not (known is not None and known.optimizer() is optimizer):
            self._keep(optimizer, first)
        if not self.stepped:
            self.ignore(StepEnd)

    def _keep(self, optimizer: Any, first: Tensor) -> None:
        if not any(optimizer.state.values()) or isinstance(optimizer, torch.optim.LBFGS):
            return
        if self.times == TIMES:
            kind = type(optimizer).__name__
            says = say("new-each-batch-what", name=kind)
            self.report(says, where=_created_at(kind) or here(), optimizers=TIMES)
        with unwatched():
            left = sample_of(first)
        self.stepped[id(first)] = Stepped(ref(optimizer), ref(first), left, self.times)


@dataclass(slots=True)
class OfPass:
    """An optimizer of one parameter that began in one pass over a loader, and how many such there are in a row.
    `keeps` once it has a state."""

    kind: type
    parameter: ref[Tensor]
    settings: dict[str, Any]
    loader: ref[Any]
    number: int
    keeps: bool = False
    times: int = 1

    def is_before(self, other: OfPass) -> bool:
        """Whether the other one begins in the next pass, and is made alike."""
        same = self.settings == other.settings and self.kind is other.kind
        known = self.parameter() is other.parameter() and self.loader() is other.loader()
        return self.keeps and same and known and other.number == self.number + 1


class OptimizersOfPasses(Recorder):
    """An optimizer with a state, of the same parameters, in each pass over the same loader. A phase of training
    has other data or settings, or several passes."""

    dormant = (StepEnd,)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.loader: ref[Any] | None = None
        self.passes = 0
        self.known: dict[int, OfPass] = {}

    def epoch_begin(self, event: EpochBegin) -> None:
        loader = event.iterator._index_sampler
        same = self.loader is not None and self.loader() is loader
        self.passes = self.passes + 1 if same else 1
        self.loader = ref(loader)

    def new_optimizer(self, event: NewOptimizer) -> None:
        optimizer, first = event.optimizer, _first(event.optimizer)
        if first is None or self.loader is None or optimizer.state or len(self.known) >= KNOWN:
            return
        settings = {
            key: value for key, value in optimizer.param_groups[0].items() if key != "params"
        }
        now = OfPass(type(optimizer), ref(first), settings, self.loader, self.passes)
        last = self.known.get(id(first))
        now.times = last.times + 1 if last is not None and last.is_before(now) else 1
        self.known[id(first)] = now
        self.listen(StepEnd)
        if now.times == PASSES:
            kind = now.kind.__name__
            where = _created_at(kind) or here()
            self.report(say("new-each-pass", name=kind, times=PASSES), where=where)

    def step_end(self, event: StepEnd) -> None:
        known = self.known.get(id(_first(event.optimizer)))
        if known is not None:
            known.keeps = any(event.optimizer.state.values())
        self.ignore(StepEnd)


def _first(optimizer: Any) -> Tensor | None:
    return next(iter(parameters_of(optimizer)), None)


def _created_at(kind: str) -> Span | None:
    """The one line of the program that creates an optimizer of that class of torch's."""
    files = dict.fromkeys(codes())
    calls = [(code, c) for code in files for c in code.calls.calls_to(f"torch.optim.{kind}")]
    return line(*calls[0]) if len(calls) == 1 else None
