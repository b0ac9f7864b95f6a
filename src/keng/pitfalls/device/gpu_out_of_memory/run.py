"""A running program: the memory of the GPU is exhausted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from keng.model import say
from keng.run.events import BackwardFailed, ForwardFailed
from keng.run.recorder import Recorder

if TYPE_CHECKING:
    from torch.nn import Module


class ExhaustedMemory(Recorder):
    """What else holds memory where a forward or a backward has exhausted it."""

    def forward_failed(self, event: ForwardFailed) -> None:
        self._look(event.error, event.module)

    def backward_failed(self, event: BackwardFailed) -> None:
        self._look(event.error, None)

    def _look(self, error: Exception, module: Module | None) -> None:
        if type(error).__name__ != "OutOfMemoryError":
            return
        held = self._graphs_held()
        if held > 2:
            says = say("past-graphs-alive", held=held)
        elif module is not None and not module.training and torch.is_grad_enabled():
            name = self.run.module_name(module)
            says = say("evaluates-with-gradients", name=name)
        else:
            says = say("step-too-large")
        self.report(says, graphs_held=held)

    def _graphs_held(self) -> int:
        """Graphs of steps before the last one, one a step: a loss and the output that it came of are
        marked in one graph."""
        return len({m.step for m in self.run.alive() if m.step < self.run.step - 1})
