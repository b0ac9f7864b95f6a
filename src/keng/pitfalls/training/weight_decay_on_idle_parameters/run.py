"""A running program: parameters that get no gradient still move."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from textwrap import shorten
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

import torch

from keng.model import say
from keng.run.events import Paused, Step, StepEnd
from keng.run.graph.nonfinite import is_finite
from keng.run.optimizers import parameters_of
from keng.run.recorder import Recorder
from keng.run.state import RunState, unwatched

if TYPE_CHECKING:
    from torch import Tensor
    from torch.optim import Optimizer

STEPS = 5
"""Steps in a row at which a gradient must be zero. Fewer would take for idle what lies behind units
that have died for a batch or two."""
AT_A_LOOK = 2
"""Parameters that are checked in turn, apart from those that are followed: at every second step, and
after the early ones at every eighth."""
DENSE, SPARSE, EARLY = 2, 8, 40
PROBE = 64
EVERY = 50
"""On a device each check waits for it: there are only so many in each fifty steps."""

Key = tuple[int, int]


class Idle(NamedTuple):
    """A parameter whose gradient was exactly zero, not None, at each of `steps` steps, and which has
    moved all the same."""

    name: str
    steps: int
    norm_before: float
    norm_now: float
    weight_decay: float
    momentum: float


@dataclass(slots=True)
class Ledger:
    """`quiet` are the parameters that are followed: norm at the first zero gradient, steps since.
    `again` are those that were before a pause."""

    step: int = 0
    turn: int = 0
    again: list[Key] = field(default_factory=list)
    quiet: dict[Key, tuple[float, int]] = field(default_factory=dict)


class IdleParameters(Recorder):
    """Checks a few parameters at each step, in turn; one whose gradient is zero is followed. A gradient
    that is None is fine: optimizers skip it."""

    dormant = (StepEnd,)
    sampled = (Step, StepEnd)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.ledgers: WeakKeyDictionary[Optimizer, Ledger] = WeakKeyDictionary()

    def paused(self, event: Paused) -> None:
        """What is followed is followed again from the start after the pause: it may have moved since."""
        for ledger in self.ledgers.values():
            ledger.again += ledger.quiet
            ledger.quiet.clear()

    def step(self, event: Step) -> None:
        optimizer = event.optimizer
        ledger = self.ledgers.get(optimizer)
        if ledger is None:
            ledger = self.ledgers[optimizer] = Ledger()
        ledger.step += 1
        keys, ledger.again = [*ledger.quiet, *ledger.again], []
        if ledger.step % (DENSE if ledger.step < EARLY else SPARSE) == 1:
            keys += self._next_ones(optimizer, ledger)
        if not keys:
            return
        with unwatched():
            for key in dict.fromkeys(keys):
                self._look(optimizer, ledger, key)
        if any(steps >= STEPS for _, steps in ledger.quiet.values()):
            self.listen(StepEnd)

    def step_end(self, event: StepEnd) -> None:
        optimizer = event.optimizer
        self.ignore(StepEnd)
        ledger = self.ledgers.get(optimizer)
        if ledger is None:
            return
        with unwatched():
            idle = tuple(self._moved(optimizer, ledger))
            broken = bool(idle) and not all(is_finite(p) for p in parameters_of(optimizer))
        # What is behind weights that are NaN has no slope either.
        if idle and not broken:
            self._report(idle)

    def _report(self, idle: tuple[Idle, ...]) -> None:
        names = shorten(", ".join(f"`{p.name}`" for p in idle), 80, placeholder=" ...")
        p = max(idle, key=lambda p: abs(p.norm_before - p.norm_now) / (p.norm_before or 1))
        self.report(
            say("moved-without-gradient", names=names, steps=p.steps),
            parameter=p.name,
            norm_before=p.norm_before,
            norm_now=p.norm_now,
            weight_decay=p.weight_decay,
            momentum=p.momentum,
        )

    def _next_ones(self, optimizer: Optimizer, ledger: Ledger) -> Iterator[Key]:
        groups = optimizer.param_groups
        count = sum(len(group["params"]) for group in groups)
        for _ in range(min(AT_A_LOOK, count)):
            at = ledger.turn = (ledger.turn + 1) % count
            for index, group in enumerate(groups):
                if at < len(group["params"]):
                    yield index, at
                    break
                at -= len(group["params"])

    def _look(self, optimizer: Optimizer, ledger: Ledger, key: Key) -> None:
        settings = optimizer.param_groups[key[0]]
        parameter = settings["params"][key[1]]
        if not _carries_on(settings) or not _is_zero(parameter.grad, ledger.step):
            ledger.quiet.pop(key, None)
            return
        norm, steps = ledger.quiet.get(key) or (float(parameter.norm()), 0)
        ledger.quiet[key] = norm, steps + 1

    def _moved(self, optimizer: Optimizer, ledger: Ledger) -> Iterator[Idle]:
        groups = optimizer.param_groups
        moved = {
            key: norm
            for key, (before, steps) in ledger.quiet.items()
            if steps >= STEPS and (norm := float(groups[key[0]]["params"][key[1]].norm())) != before
        }
        names = self.run.parameter_names(groups[at]["params"][index] for at, index in moved)
        for ((at, index), norm), name in zip(moved.items(), names, strict=True):
            before, steps = ledger.quiet[at, index]
            decay = float(groups[at].get("weight_decay") or 0)
            label = name or f"parameter {index} of group {at}"
            yield Idle(label, steps, before, norm, decay, _momentum(groups[at]))


def _carries_on(settings: dict[str, Any]) -> bool:
    """Whether a group moves parameters without a gradient."""
    return bool(settings.get("weight_decay") or _momentum(settings))


def _momentum(settings: dict[str, Any]) -> float:
    betas = settings.get("betas")
    return float(betas[0] if betas else settings.get("momentum") or 0)


def _is_zero(grad: Tensor | None, step: int) -> bool:
    """Zero everywhere, in full precision: in half precision it may be an underflow. False where other
    ranks hold parts of it, and for a single number, as the last bias of a critic, whose gradients cancel
    between what is real and what is not."""
    if (
        type(grad) is not torch.Tensor
        or grad.numel() == 1
        or grad.dtype not in (torch.float32, torch.float64)
        or grad.is_sparse
    ):
        return False
    if grad.device.type != "cpu" and step % EVERY > STEPS:
        return False
    probe = grad.reshape(-1)[:PROBE] if grad.is_contiguous() else grad
    return not bool(probe.any()) and not bool(grad.any())
