"""A running program: the last operation of the model cannot give what many of the targets are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from weakref import ref

import torch

from keng.model import say
from keng.run.events import ForwardEnd, Loss
from keng.run.frames import here
from keng.run.recorder import Recorder
from keng.run.state import RunState, unwatched

if TYPE_CHECKING:
    from torch import Tensor

    from keng.model import Span

INFINITE = float("inf")
RANGES = {
    "ReluBackward0": ("relu", 0.0, INFINITE),
    "SoftplusBackward0": ("softplus", 0.0, INFINITE),
    "SigmoidBackward0": ("sigmoid", 0.0, 1.0),
    "SoftmaxBackward0": ("softmax", 0.0, 1.0),
    "TanhBackward0": ("tanh", -1.0, 1.0),
}
"""What an operation can give. Targets may lie on the bounds."""
SEEN_THROUGH = (
    "Expand",
    "Squeeze",
    "Unsqueeze",
    "View",
    "UnsafeView",
    "Reshape",
    "Select",
    "Alias",
    "Index",
    "Slice",
    "Split",
    "Unbind",
    "Permute",
    "Transpose",
    "TBackward",
)
"""Views, and choices of rows or columns."""
LOSSES = ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss")
CALLS, VALUES = 6, 64
"""Calls of a loss at one line, and targets in them, before it is judged."""
SHARE, MARGIN = 0.1, 0.01
"""Targets beyond a bound, by more than that. Interpolated images overshoot a little."""
LINES = 16
UNTIL = 64
"""Calls of losses that are checked."""
REDUCTION = 2
"""Where the functions take how they reduce: 0 for not at all. What is masked afterwards may be anything."""


@dataclass(slots=True)
class Targets:
    """Of one loss: the operation, the calls so far, and how many targets are beyond a bound."""

    operation: str
    calls: int = 0
    values: int = 0
    below: int = 0
    above: int = 0


class ReachableTargets(Recorder):
    """Targets that a module has just computed are left out: features that are distilled have the range of
    another model, and no data shows which is meant."""

    dormant = (ForwardEnd,)
    sampled = (Loss, ForwardEnd)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.known: dict[Span | None, Targets] = {}
        self.made: list[ref[Tensor]] = []
        self.losses = 0
        self.follows = False

    def forward_end(self, event: ForwardEnd) -> None:
        self.made = [*self.made[-LINES:], *(ref(each) for each in event.outputs)]

    def loss(self, event: Loss) -> None:
        self.losses += 1
        if self.losses > UNTIL or len(self.known) > LINES:
            self.ignore(Loss, ForwardEnd)
            return
        if event.function not in LOSSES:
            return
        given, target = event.args[0], event.args[1]
        if len(event.args) <= REDUCTION or not event.args[REDUCTION] or not _is_plain(target):
            return
        operation, low, high = RANGES.get(_maker(given), ("", 0.0, 0.0))
        if operation and not self.follows:
            self.follows = True  # what modules make from now on
            self.listen(ForwardEnd)
        elif operation and not self._is_computed(target):
            self._judge(event.function, operation, target, low, high)

    def _judge(self, loss: str, operation: str, target: Tensor, low: float, high: float) -> None:
        with unwatched():
            self._count(loss, operation, target, low, high)

    def _is_computed(self, target: Tensor) -> bool:
        base = target._base if target._is_view() else target
        return any(each() is target or each() is base for each in self.made)

    def _count(self, loss: str, operation: str, target: Tensor, low: float, high: float) -> None:
        place = here()
        targets = self.known.setdefault(place, Targets(operation))
        if targets.calls > CALLS or targets.operation != operation:
            return
        targets.calls += 1
        targets.values += target.numel()
        targets.below += int((target < low - MARGIN).sum())
        targets.above += int((target > high + MARGIN).sum())
        outside = targets.below + targets.above
        if targets.calls == CALLS and targets.values >= VALUES and outside > SHARE * targets.values:
            targets.calls += 1
            self._say(loss, targets, low, high, place)

    def _say(
        self, loss: str, targets: Targets, low: float, high: float, place: Span | None
    ) -> None:
        share = (targets.below + targets.above) / targets.values
        bounds = f"[{low:g}, {high:g}]" if high < INFINITE else f"[{low:g}, ∞)"
        values = {"operation": targets.operation, "loss": loss, "bounds": bounds}
        self.report(say("beyond", share=f"{share:.0%}", **values), where=place)


def _is_plain(target: Any) -> bool:
    """Whether targets are numbers that can be read without waiting for a device."""
    plain = isinstance(target, torch.Tensor) and type(target) is torch.Tensor
    return plain and target.is_cpu and target.is_floating_point() and not target.requires_grad


def _maker(tensor: Any) -> str:
    """The name of the operation that made a tensor, apart from views; of other tensors nothing."""
    node = getattr(tensor, "grad_fn", None)
    while node is not None and node.name().startswith(SEEN_THROUGH):
        node = node.next_functions[0][0]
    return str(node.name()) if node is not None else ""
