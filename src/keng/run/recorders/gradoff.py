"""Backwards that fail, and steps that have nothing to go by, since gradients are switched off."""

from __future__ import annotations

import torch

from keng.model import Span
from keng.run.events import BackwardFailed, Step
from keng.run.lines import statement_of
from keng.run.moments import GradientsOff
from keng.run.optimizers import has_gradients
from keng.run.recorder import Recorder
from keng.run.state import Facts, tensors_in


class SwitchFacts(Facts):
    def switch(self) -> Span | None:
        return statement_of("set_grad_enabled", False)


class GradOff(Recorder):
    provides = ("gradients.off",)
    sampled = (Step,)

    def backward_failed(self, event: BackwardFailed) -> None:
        if torch.is_grad_enabled() or any(t.requires_grad for t in tensors_in(event.outputs)):
            return
        self._show()

    def step(self, event: Step) -> None:
        """Of a loop that goes back only where the loss has a graph."""
        if torch.is_grad_enabled():
            return
        if not has_gradients(event.optimizer):
            self._show()

    def _show(self) -> None:
        self.run.show("gradients.off", GradientsOff(self.run.step, SwitchFacts()))
