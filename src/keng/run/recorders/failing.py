"""Forwards and backwards that raise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from keng.run.events import BackwardFailed, ForwardFailed
from keng.run.moments import FailedForward
from keng.run.recorder import Recorder
from keng.run.state import Facts, RunState, tensors_in, unwatched

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module

FRAMES = 200


class FailureFacts(Facts):
    def __init__(
        self, run: RunState, module: Module | None, inputs: list[Tensor], error: Exception
    ) -> None:
        self._run, self._module, self._inputs, self._error = run, module, inputs, error

    def module(self) -> str:
        return self._run.module_name(self._module) if self._module is not None else ""

    def devices(self) -> tuple[str, str] | None:
        if self._module is None:
            return None
        weights = {str(p.device) for p in self._module.parameters()}
        given = {str(t.device) for t in self._inputs if t.dim()}
        if len(weights) != 1 or len(given) != 1 or weights == given:
            return None
        return weights.pop(), given.pop()

    def indices(self) -> tuple[int, int, int] | None:
        at = self._error.__traceback__
        for _ in range(FRAMES):
            if at is None:
                return None
            if (
                at.tb_frame.f_code.co_name == "embedding"
                and "torch" in at.tb_frame.f_code.co_filename
            ):
                return _range(at.tb_frame.f_locals)
            at = at.tb_next
        return None

    def graphs_held(self) -> int:
        """Of as many steps: a loss and the output that it came of are marked in one graph."""
        return len({m.step for m in self._run.alive() if m.step < self._run.step - 1})

    def in_vain(self) -> bool:
        training = self._module is None or self._module.training
        return torch.is_grad_enabled() and not training


class Failing(Recorder):
    provides = ("forward.failed",)

    def forward_failed(self, event: ForwardFailed) -> None:
        self._show(FailureFacts(self.run, event.module, event.inputs, event.error), event.error)

    def backward_failed(self, event: BackwardFailed) -> None:
        self._show(
            FailureFacts(self.run, None, list(tensors_in(event.outputs)), event.error), event.error
        )

    def _show(self, facts: FailureFacts, error: Exception) -> None:
        moment = FailedForward(self.run.step, facts, type(error).__name__, str(error))
        self.run.show("forward.failed", moment)


def _range(variables: dict[str, Any]) -> tuple[int, int, int] | None:
    given, table = variables.get("input"), variables.get("weight")
    # On a device the values cannot be had: after such an error it answers nothing any more.
    if given is None or table is None or not given.is_cpu or not given.numel():
        return None
    if given.is_floating_point():
        return None
    with unwatched():
        lowest, highest = (int(value) for value in given.aminmax())
    return lowest, highest, int(table.shape[0])
