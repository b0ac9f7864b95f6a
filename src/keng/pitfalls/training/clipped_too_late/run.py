"""A running program: gradients are clipped after the step that used them, or before there are any."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any
from weakref import WeakValueDictionary

from keng.model import Span, say
from keng.run.events import BackwardEnd, Clip, Scale, Step, StepEnd
from keng.run.frames import here
from keng.run.optimizers import held_by, parameters_of
from keng.run.recorder import Recorder
from keng.run.state import RunState

TIMES = 6
"""Clippings in a row without any gradient, each followed by a step that has some."""


class SpentGradients(Recorder):
    """Gradients that are clipped after an optimizer has used them. Most programs do not clip: steps
    count from the first clipping on, or the first loss that is scaled."""

    dormant = (BackwardEnd, Step, StepEnd)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.stepped: WeakValueDictionary[int, Any] = WeakValueDictionary()
        self.stepping: WeakValueDictionary[int, Any] = WeakValueDictionary()
        self.within: tuple[Span | None, str] | None = None

    def scale(self, event: Scale) -> None:
        self.listen(*self.dormant)

    def clip(self, event: Clip) -> None:
        self.listen(*self.dormant)
        bound = float(event.max_norm)
        if bound == float("inf"):
            return
        if _are_spent(event.parameters, self.stepped):
            self.report(say("clips-used-to", norm=f"{bound:g}"))
        elif _are_spent(event.parameters, self.stepping):
            self.within = here(), f"{bound:g}"

    def backward_end(self, event: BackwardEnd) -> None:
        self.stepped.clear()
        self.stepping.clear()
        within, self.within = self.within, None
        if within is not None:
            self.report(say("clips-nothing", norm=within[1]), where=within[0])

    def step(self, event: Step) -> None:
        """What a closure clips is yet to be used, unless it computes other gradients then."""
        self.within = None
        if self.stepped.pop(id(event.optimizer), None) is not None:
            self.stepping[id(event.optimizer)] = event.optimizer

    def step_end(self, event: StepEnd) -> None:
        self.stepping.clear()
        self.stepped[id(event.optimizer)] = event.optimizer


class MissingGradients(Recorder):
    """Clippings of parameters that have no gradients, which the next step then has: the line is before
    `backward`."""

    dormant = (Step,)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.clipped: dict[int, float] = {}
        self.place: Span | None = None
        self.times = 0

    def clip(self, event: Clip) -> None:
        given = event.parameters
        known = isinstance(given, (list, tuple)) and math.isfinite(float(event.max_norm))
        if not known or not given or _have_gradients(given):
            self.ignore(Clip, Step)
            return
        self.place = here()
        self.clipped = {id(p): float(event.max_norm) for p in given}
        self.listen(Step)

    def step(self, event: Step) -> None:
        clipped, self.clipped = self.clipped, {}
        held = [p for p in parameters_of(event.optimizer) if id(p) in clipped]
        if not _have_gradients(held):
            return
        self.times += 1
        if self.times == TIMES:
            self.ignore(Clip, Step)
            norm = f"{clipped[id(held[0])]:g}"
            self.report(say("clips-nothing", norm=norm), where=self.place, times=self.times)


def _are_spent(parameters: Any, stepped: WeakValueDictionary[int, Any]) -> bool:
    """Whether an optimizer that has used its gradients holds what is clipped."""
    if not stepped or not isinstance(parameters, (list, tuple)):
        return False
    first = next(iter(parameters), None)
    return _have_gradients(parameters) and id(first) in held_by(stepped.values())


def _have_gradients(parameters: Iterable[Any]) -> bool:
    """Whether one of them has a gradient."""
    return any(getattr(p, "grad", None) is not None for p in parameters)
