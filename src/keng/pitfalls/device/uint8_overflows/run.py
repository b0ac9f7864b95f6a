"""A running program: bytes are added, and go round at 256."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import torch

from keng.model import say
from keng.run.events import ByteArithmetic, RunEnd, Step, StepEnd
from keng.run.recorder import Recorder
from keng.run.replay.probe import may_probe
from keng.run.state import RunState, unwatched
from keng.run.taps.patches import Patches

STEP = 2
"""The step after this one is checked: seeing every sum is expensive."""
OPERATIONS: dict[str, tuple[str, Callable[[Any, Any], Any]]] = {
    "add": ("+", operator.add),
    "sub": ("-", operator.sub),
    "mul": ("*", operator.mul),
}
IMAGE = 3
"""Dimensions. Smaller ones are hashes, counters and codes as well, which may go round on purpose."""


class ByteOverflows(Recorder):
    """Sees the arithmetic of tensors for one step: in the loop, in modules, and in a dataset without
    workers."""

    dormant = (Step,)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.steps = 0
        self.patches = Patches()

    def step_end(self, event: StepEnd) -> None:
        self.steps += 1
        if self.steps < STEP:
            return
        self.ignore(StepEnd)
        if may_probe():
            self.listen(Step)
            for name, (sign, compute) in OPERATIONS.items():
                for spelled in (f"__{name}__", f"__i{name}__", name, f"{name}_"):
                    original = getattr(torch.Tensor, spelled)
                    self.patches.put(torch.Tensor, spelled, self._seen(original, sign, compute))

    def step(self, event: Step) -> None:
        self.ignore(Step)
        self.patches.undo()

    def run_end(self, event: RunEnd) -> None:
        self.patches.undo()

    def _seen(self, original: Any, sign: str, compute: Any) -> Any:
        def tapped(tensor: Any, other: Any, *args: Any, **kwargs: Any) -> Any:
            image = tensor.dtype is torch.uint8 and tensor.dim() >= IMAGE and tensor.is_cpu
            if image and self.bus is not None and not args and not kwargs:
                self.bus.dispatch(ByteArithmetic, tensor, other, sign, compute)
            return original(tensor, other, *args, **kwargs)

        return tapped

    def byte_arithmetic(self, event: ByteArithmetic) -> None:
        other = event.other
        alike = isinstance(other, torch.Tensor) and other.dtype is torch.uint8
        if not alike and not isinstance(other, int):
            return
        with unwatched():
            exact = event.compute(event.tensor.int(), other.int() if alike else other)
            outside = int(((exact < 0) | (exact > 255)).sum())
            worst = int(exact.max()) if int(exact.max()) > 255 else int(exact.min())
        if outside:
            share = outside / exact.numel()
            says = say(
                "wraps-around",
                sign=event.sign,
                share=f"{share:.0%}",
                worst=worst,
                wrapped=worst % 256,
            )
            self.report(says, share=share)
