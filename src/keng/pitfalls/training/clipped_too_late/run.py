"""A running program: gradients are clipped after the step that used them."""

from __future__ import annotations

from typing import Any
from weakref import WeakValueDictionary

from keng.model import say
from keng.run.events import BackwardEnd, Clip, Scale, Step, StepEnd
from keng.run.optimizers import held_by
from keng.run.recorder import Recorder
from keng.run.state import RunState


class SpentGradients(Recorder):
    """Gradients that are clipped after an optimizer has used them. Most programs do not clip: steps
    count from the first clipping on, or the first loss that is scaled."""

    dormant = (BackwardEnd, Step, StepEnd)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.stepped: WeakValueDictionary[int, Any] = WeakValueDictionary()

    def scale(self, event: Scale) -> None:
        self.listen(*self.dormant)

    def clip(self, event: Clip) -> None:
        self.listen(*self.dormant)
        bound = float(event.max_norm)
        if bound < float("inf") and self._are_spent(event.parameters):
            self.report(say("clips-used-to", norm=f"{bound:g}"))

    def backward_end(self, event: BackwardEnd) -> None:
        self.stepped.clear()

    def step(self, event: Step) -> None:
        # What its closure clips is yet to be used.
        self.stepped.pop(id(event.optimizer), None)

    def step_end(self, event: StepEnd) -> None:
        self.stepped[id(event.optimizer)] = event.optimizer

    def _are_spent(self, parameters: Any) -> bool:
        """Whether an optimizer that has stepped holds what is clipped."""
        if not self.stepped or not isinstance(parameters, (list, tuple)):
            return False
        return id(next(iter(parameters), None)) in held_by(self.stepped.values())
