"""A running program: weights from before the training are copied over the trained ones, again and again."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, ref

from keng.model import Span, say
from keng.run.events import StateLoaded, Step
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
UNTIL = 2000


@dataclass(slots=True)
class First:
    """Values of a parameter before the first step of an optimizer."""

    parameter: ref[Tensor]
    values: Tensor
    away: int = 0
    returns: int = 0
    steps: int = 0


class WeightsThatReturn(Recorder):
    """A state that is loaded by `load_state_dict` is meant: folds, rounds of pruning, a search for a rate."""

    sampled = (Step,)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.first: WeakKeyDictionary[Optimizer, First | None] = WeakKeyDictionary()

    def state_loaded(self, event: StateLoaded) -> None:
        for optimizer in list(self.first):
            self.first[optimizer] = None

    def step(self, event: Step) -> None:
        optimizer = event.optimizer
        if optimizer not in self.first:
            self.first[optimizer] = _first_of(optimizer)
            return
        known = self.first[optimizer]
        parameter = known.parameter() if known is not None else None
        if known is None or parameter is None:
            return
        known.steps += 1
        with unwatched():
            back = bool((sample_of(parameter) == known.values).all())
        if back and known.away >= LONG:
            known.returns += 1
            if known.returns == RETURNS:
                self._report(parameter, known)
        known.away = 0 if back else known.away + 1
        if known.returns == RETURNS or known.steps == UNTIL:
            self.first[optimizer] = None

    def _report(self, parameter: Tensor, known: First) -> None:
        name = self.run.parameter_name(parameter)
        owner = name.rpartition(".")[0] if name else ""
        says = say("weights-return", module=owner) if owner else say("all-return")
        self.report(says, where=_copied_at() or here(), steps=known.steps)


def _first_of(optimizer: Any) -> First | None:
    held = [p for p in parameters_of(optimizer) if p.dim() > 1 and p.numel()]
    if not held or not held[0].is_cpu:
        return None
    with unwatched():
        return First(ref(held[0]), sample_of(held[0]))


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
