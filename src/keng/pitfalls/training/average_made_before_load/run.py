"""A running program: an average was created with the initial weights, before a checkpoint was loaded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from weakref import ref

from torch.nn import Module

from keng.model import Span, say
from keng.pitfalls.training._shared_run import path_to, tensors_of
from keng.run.events import StateLoaded, StateLoading, StepEnd
from keng.run.frames import here, reached
from keng.run.optimizers import optimizers, sample_of
from keng.run.recorder import Recorder
from keng.run.state import RunState, unwatched

if TYPE_CHECKING:
    from torch import Tensor

LOADS = 8
"""Loads that are followed: a program that loads at each step restores weights."""
STEPS = 64
"""Steps after a load in which a copy begins to follow the weights, if it is an average."""


@dataclass(slots=True, eq=False)
class Copy:
    """Something that had the weights of a module before they were loaded. `before` are values of the matrix at
    `at`. `holder` keeps it alive while it is followed."""

    holder: Any
    at: int
    module: ref[Module]
    before: Tensor
    name: str
    where: Span | None
    steps: int = 0

    def follows(self) -> bool | None:
        """Whether it has moved, and is nearer to the initial weights than to the loaded ones; None if it has not
        moved yet."""
        module = self.module()
        tensors = tensors_of(self.holder)
        if module is None or len(tensors) <= self.at:
            return False
        now, loaded = sample_of(tensors[self.at]), sample_of(tensors_of(module)[self.at])
        if now.shape != self.before.shape or bool((now == self.before).all()):
            return None if now.shape == self.before.shape else False
        return bool((now - self.before).norm() < (now - loaded).norm())


class AveragesBeforeLoad(Recorder):
    """Dictionaries and modules that have the values of a module that has not been trained, when a state with
    others is loaded into it."""

    dormant = (StepEnd,)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.loads = 0
        self.before: Tensor | None = None
        self.copies: list[Copy] = []

    def state_loading(self, event: StateLoading) -> None:
        tensors = tensors_of(event.module)
        at = _first_matrix(tensors)
        self.before = None
        if at is not None and self.loads < LOADS and not _is_trained(event.module):
            with unwatched():
                self.before = sample_of(tensors[at])

    def state_loaded(self, event: StateLoaded) -> None:
        before, self.before = self.before, None
        if before is None:
            return
        self.loads += 1
        with unwatched():
            self.copies += _copies(event.module, before)
        if self.copies:
            self.listen(StepEnd)

    def step_end(self, event: StepEnd) -> None:
        for copy in [*self.copies]:
            copy.steps += 1
            with unwatched():
                follows = copy.follows()
            if follows:
                values = {"average": copy.name, "module": self._name(copy)}
                self.report(say("begins-at-initial-weights", **values), where=copy.where)
            if follows is not None or copy.steps == STEPS:
                self.copies.remove(copy)
        if not self.copies:
            self.ignore(StepEnd)

    def _name(self, copy: Copy) -> str:
        module = copy.module()
        return self.run.module_name(module) if module is not None else "the model"


def _copies(module: Module, before: Tensor) -> list[Copy]:
    own = tensors_of(module)
    at, where = _first_matrix(own), here()
    shapes, seen = [each.shape for each in own], {id(each) for each in own}
    if at is None or bool((sample_of(own[at]) == before).all()):
        return []
    found: list[Copy] = []
    for holder in (*reached(dict), *reached(Module)):
        tensors = tensors_of(holder)
        alike = [each.shape for each in tensors] == shapes
        if not alike or id(tensors[at]) in seen or tensors[at].device != before.device:
            continue
        if bool((sample_of(tensors[at]) == before).all()):
            seen.add(id(tensors[at]))  # a module has a dictionary of its own
            name = path_to(holder) or type(holder).__name__
            found.append(Copy(holder, at, ref(module), before, name, where))
    return found


def _first_matrix(tensors: list[Tensor]) -> int | None:
    """Biases and scales begin alike in all models."""
    wanted = (n for n, each in enumerate(tensors) if each.dim() > 1 and each.numel())
    return next(wanted, None)


def _is_trained(module: Module) -> bool:
    """Whether an optimizer has already stepped with its parameters and kept a state of them."""
    states = [each.state for each in optimizers()]
    return any(state.get(parameter) for parameter in module.parameters() for state in states)
