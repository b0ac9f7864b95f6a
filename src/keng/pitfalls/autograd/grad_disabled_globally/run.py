"""A running program: gradients are switched off for the whole program."""

from __future__ import annotations

import torch

from keng.model import Span, say
from keng.run.events import BackwardFailed, Step
from keng.run.optimizers import has_gradients
from keng.run.recorder import Recorder
from keng.run.state import tensors_in
from keng.run.user_code import codes, line


class FailedBackwards(Recorder):
    sampled = (Step,)

    def backward_failed(self, event: BackwardFailed) -> None:
        if torch.is_grad_enabled() or any(t.requires_grad for t in tensors_in(event.outputs)):
            return
        self._report()

    def step(self, event: Step) -> None:
        """Of a loop that goes back only where the loss has a graph."""
        if torch.is_grad_enabled():
            return
        if not has_gradients(event.optimizer):
            self._report()

    def _report(self) -> None:
        switch = _switched_off_at()
        if switch is not None:
            self.report(say("switched-off-here"), where=switch)


def _switched_off_at() -> Span | None:
    """The first statement `torch.set_grad_enabled(False)` of the program."""
    for code in codes():
        for call in code.calls.calls_named("set_grad_enabled"):
            given = call.args[0] if len(call.args) == 1 else None
            if code.tree.result_unused(call) and code.flow.is_constant(given, False):
                return line(code, call)
    return None
