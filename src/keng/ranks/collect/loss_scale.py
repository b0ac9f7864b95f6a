"""A loss that is divided by the number of ranks before backward, where the gradients are averaged anyway."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

from keng.model import Span
from keng.ranks.collect.section import Looks, Part
from keng.run.events import Backward, Forward
from keng.run.frames import here
from keng.run.state import RunState
from keng.run.user_code import running

if TYPE_CHECKING:
    from torch import Tensor


class LossScale(Part):
    """Only of models whose gradients no hook of the program's reduces."""

    dozes = (Backward, Forward)

    def __init__(self, run: RunState, looks: Looks) -> None:
        super().__init__(run, looks)
        self._where: Span | None = None
        self._averaged = False

    def forward(self, event: Forward) -> None:
        if isinstance(event.module, DistributedDataParallel):
            self._averaged = not event.module._comm_hooks

    def backward(self, event: Backward) -> None:
        asks = self._averaged and event.accumulates and self.looks.now
        divided = asks and _is_divided(event.outputs, dist.get_world_size())
        if divided and self._where is None and _divides_by_world():
            self._where = here()

    def draft(self) -> Callable[[], Mapping[str, Any]]:
        where = self._where
        return lambda: {"divided": where}


def _is_divided(outputs: list[Tensor], world: int) -> bool:
    """Whether the last operation on the loss divides it by this number."""
    node = outputs[0].grad_fn if len(outputs) == 1 else None
    divisor = getattr(node, "_saved_other", None) if type(node).__name__ == "DivBackward0" else None
    return divisor is not None and divisor.numel() == 1 and divisor.item() == world


def _divides_by_world() -> bool:
    """Whether the function that runs divides by the number of ranks: another number may be as large."""
    found = running()
    if found is None:
        return False
    code, body, _ = found
    divided = [n.right for n in code.below(body, ast.BinOp) if isinstance(n.op, ast.Div)]
    divided += [n.value for n in code.below(body, ast.AugAssign) if isinstance(n.op, ast.Div)]
    return any(map(code.processes.is_world_size, divided))
