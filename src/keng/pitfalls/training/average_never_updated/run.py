"""A running program: weights from before the training are copied over the trained ones, again and again."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, ref

from keng.model import Span, say
from keng.run.events import EpochBegin, StateLoaded, Step
from keng.run.frames import here
from keng.run.optimizers import parameters_of, sample_of
from keng.run.recorder import Recorder
from keng.run.state import RunState, unwatched
from keng.run.user_code import codes, line

if TYPE_CHECKING:
    from torch import Tensor
    from torch.optim import Optimizer

RETURNS = 3
LONG = 3
"""Steps away from the first weights before they are back. Inner loops of meta-learning are shorter, or move
the weights that they come back to."""
DENSE = 90
"""Steps before each of which the weights are compared, and later those that begin an epoch of a loader."""


@dataclass(slots=True)
class First:
    """Values of a parameter before the first step of an optimizer. `left` is the step at which it last had them,
    `moved` whether it ever had others: one that nothing trains does not come back."""

    parameter: ref[Tensor]
    values: Tensor
    left: int
    returns: int = 0
    moved: bool = False


class WeightsThatReturn(Recorder):
    """A state that is loaded by `load_state_dict` is meant: folds, rounds of pruning, a search for a rate."""

    sampled = (Step,)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.first: WeakKeyDictionary[Optimizer, First | None] = WeakKeyDictionary()

    def epoch_begin(self, event: EpochBegin) -> None:
        if any(self.first.values()):
            self.listen(Step)

    def state_loaded(self, event: StateLoaded) -> None:
        for optimizer in list(self.first):
            self.first[optimizer] = None

    def step(self, event: Step) -> None:
        optimizer = event.optimizer
        if optimizer not in self.first:
            self.first[optimizer] = _first_of(optimizer, self.run.step)
        elif (known := self.first[optimizer]) is not None:
            self._compare(optimizer, known)
        if self.run.step > DENSE:
            self.ignore(Step)

    def _compare(self, optimizer: Optimizer, known: First) -> None:
        parameter = known.parameter()
        if parameter is None:
            self.first[optimizer] = None
            return
        with unwatched():
            back = bool((sample_of(parameter) == known.values).all())
        known.moved |= not back
        known.returns += back and known.moved and self.run.step - known.left > LONG
        if back:
            known.left = self.run.step
        if known.returns == RETURNS:
            self.first[optimizer] = None
            self._report(parameter)

    def _report(self, parameter: Tensor) -> None:
        name = self.run.parameter_name(parameter)
        owner = name.rpartition(".")[0] if name else ""
        says = say("weights-return", module=owner) if owner else say("all-return")
        self.report(says, where=_copied_at() or here())


def _first_of(optimizer: Any, step: int) -> First | None:
    held = [p for p in parameters_of(optimizer) if p.dim() > 1 and p.numel()]
    if not held or not held[0].is_cpu:
        return None
    with unwatched():
        return First(ref(held[0]), sample_of(held[0]), step)


def _copied_at() -> Span | None:
    """The one line of the program, in a loop over parameters, that copies into what it loops over."""
    found: set[Span] = set()
    for code in dict.fromkeys(codes()):
        for loop in code.of(ast.For):
            bound = {each.id for each in ast.walk(loop.target) if isinstance(each, ast.Name)}
            for call in code.below(loop, ast.Call):
                match call.func:
                    case ast.Attribute(attr="copy_", value=ast.Name(id=name)) if name in bound:
                        found.add(line(code, call))
                    case ast.Attribute(
                        attr="copy_", value=ast.Attribute(attr="data", value=ast.Name(id=name))
                    ) if name in bound:
                        found.add(line(code, call))
    return found.pop() if len(found) == 1 else None
