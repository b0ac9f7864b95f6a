"""A running program: the first loss is many times that of a constant guess."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import torch

from keng.model import say
from keng.run.events import LossEnd, StepEnd
from keng.run.recorder import Recorder
from keng.run.state import unwatched

if TYPE_CHECKING:
    from torch import Tensor

CLASSES, BESIDES = 2.0, 6.0
"""Cross entropy is high where it is beyond so many times the logarithm of the classes, and so much more."""
SQUARES = 30.0
"""A squared error is high where it is beyond so many times the mean square of the targets, which is what a
model that always answers with zero gets."""
FEWEST = 32
"""Targets: the squares of a few may be small by chance."""
REDUCTION = {"cross_entropy": 3, "mse_loss": 2}
WEIGHT, SMOOTHING = 2, 5
SCALED = ("MulBackward0", "DivBackward0")


class InitialLosses(Recorder):
    """Losses before the first step. Scores that were multiplied by a number are meant to be large: cosines
    over a temperature, margins on a sphere."""

    def loss_end(self, event: LossEnd) -> None:
        args, at = event.args, REDUCTION.get(event.function, 0)
        if not at or len(args) <= at or args[at] != 1 or not event.output.requires_grad:
            return
        if not event.output.is_cpu or _is_scaled(args[0]):
            return
        with unwatched():
            loss, guess = float(event.output), _guessed(event.function, args)
        if 0 < guess < loss < math.inf:
            self.ignore(LossEnd)
            values = {"loss": f"{loss:.3g}", "guess": f"{guess:.3g}"}
            squares = args[1].is_floating_point()
            says = say("beyond-squares", **values) if squares else say("beyond-classes", **values)
            self.report(says, sure=False, loss=loss)

    def step_end(self, event: StepEnd) -> None:
        self.ignore(LossEnd, StepEnd)


def _guessed(function: str, args: tuple[Any, ...]) -> float:
    """The loss beyond which a first one is high; 0 where there is no telling."""
    given, target = args[0], args[1]
    if function == "mse_loss":
        squares = float(target.detach().square().mean()) if target.numel() >= FEWEST else 0.0
        return SQUARES * squares
    plain = args[WEIGHT] is None and (len(args) <= SMOOTHING or not args[SMOOTHING])
    if not plain or target.is_floating_point() or given.dim() < 2 or given.size(1) < 2:
        return 0.0
    return CLASSES * math.log(given.size(1)) + BESIDES


def _is_scaled(scores: Tensor) -> bool:
    node: Any = scores.grad_fn
    if node is None or node.name() not in SCALED:
        return False
    other = getattr(node, "_saved_other", None)
    return isinstance(other, torch.Tensor) and other.numel() == 1
