"""Optimizers and schedulers."""

from __future__ import annotations

import sys
from threading import get_ident
from typing import Any
from weakref import WeakSet

from keng.run.bus import Bus
from keng.run.events import NewOptimizer, SchedulerInit, SchedulerStep, Step, StepEnd, ZeroGrad
from keng.run.taps.patches import Patches


def put_on(bus: Bus, patches: Patches) -> None:
    from torch.nn import Module
    from torch.optim import Optimizer, lr_scheduler

    _hook_steps(bus, patches)
    if bus.wants(ZeroGrad):
        patches.put(Optimizer, "zero_grad", _zero_grad(bus, Optimizer.zero_grad))
        patches.put(Module, "zero_grad", _zero_grad(bus, Module.zero_grad))
    if bus.wants(SchedulerStep, SchedulerInit):
        scheduler = lr_scheduler.LRScheduler
        # Not `step` itself where it leaves the work to another (torch 2.9 and later): SequentialLR asks
        # that one.
        name = "_update_lr" if hasattr(scheduler, "_update_lr") else "step"
        patches.put(scheduler, name, _scheduler(bus, getattr(scheduler, name)))
        plateau = lr_scheduler.ReduceLROnPlateau
        patches.put(plateau, "_reduce_lr", _scheduler(bus, plateau._reduce_lr))


def _hook_steps(bus: Bus, patches: Patches) -> None:
    from torch.optim import optimizer as hooks

    gate = bus.gate
    known: WeakSet[Any] = WeakSet()
    outer = Outer()

    def step(optimizer: Any, *_: Any) -> None:
        if gate.shut:
            return
        if optimizer not in known:
            known.add(optimizer)
            bus.trains_here()
            bus.dispatch(NewOptimizer, optimizer)
        # Another thread than the one watched may be within a step of its own.
        if get_ident() == gate.thread and outer.begins(id(sys._getframe(1))):
            bus.dispatch(Step, optimizer)

    def step_end(optimizer: Any, *_: Any) -> None:
        if not gate.shut and outer.frame == id(sys._getframe(1)):
            outer.frame = 0
            bus.dispatch(StepEnd, optimizer)

    if bus.wants(Step, StepEnd, NewOptimizer):
        patches.later(hooks.register_optimizer_step_pre_hook(step).remove)
    if bus.wants(StepEnd):
        patches.later(hooks.register_optimizer_step_post_hook(step_end).remove)


class Outer:
    """Which step is the user's: one that is taken within another belongs to it, as that of the
    optimizer that a ZeroRedundancyOptimizer has. Known by the frame of torch's that runs the hooks."""

    def __init__(self) -> None:
        self.frame = 0

    def begins(self, frame: int) -> bool:
        # One that raised has never ended.
        if self.frame and _runs(self.frame):
            return False
        self.frame = frame
        return True


def _runs(frame: int) -> bool:
    at = sys._getframe(3)
    while at.f_back is not None:
        at = at.f_back
        if id(at) == frame:
            return True
    return False


def _zero_grad(bus: Bus, original: Any) -> Any:
    gate = bus.gate

    def zero_grad(self: Any, set_to_none: bool = True) -> None:
        if not gate.shut:
            bus.dispatch(ZeroGrad, self, set_to_none)
        original(self, set_to_none)

    return zero_grad


def _scheduler(bus: Bus, original: Any) -> Any:
    gate = bus.gate

    def tapped(self: Any, *args: Any) -> Any:
        out = original(self, *args)
        # A scheduler's constructor takes the first step itself.
        if not gate.shut:
            bus.dispatch(
                SchedulerStep if getattr(self, "_step_count", 2) > 1 else SchedulerInit, self
            )
        return out

    return tapped
