"""A running program: the optimizer applies gradients from before parameters were frozen."""

from __future__ import annotations

from textwrap import shorten
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, ref

from keng.model import say
from keng.run.events import Step, StepEnd
from keng.run.frames import spoken
from keng.run.optimizers import sample_of
from keng.run.recorder import Recorder
from keng.run.state import RunState, unwatched

if TYPE_CHECKING:
    from torch import Tensor

EVERY = 16
"""Steps from one look to the next; the next step of the same optimizer is compared with it."""
FEW = 4
"""Parameters that are followed at once."""


class Held:
    """The gradient of a frozen parameter at a look."""

    __slots__ = ("before", "gradient", "parameter", "version")

    def __init__(self, parameter: Tensor) -> None:
        self.parameter = ref(parameter)
        self.gradient = ref(parameter.grad) if parameter.grad is not None else None
        self.version = parameter.grad._version if parameter.grad is not None else 0
        self.before: Tensor | None = None

    def is_stale(self, parameter: Tensor) -> bool:
        """Whether nothing has written a gradient since the look, apart from clearing it to zeros."""
        gradient = parameter.grad
        if parameter.requires_grad or gradient is None or self.gradient is None:
            return False
        same = self.gradient() is gradient and gradient._version == self.version
        return same or not bool(gradient.any())


class StaleGradients(Recorder):
    """Frozen parameters of an optimizer that have a gradient. A program that computes gradients itself
    writes another one for each step."""

    dormant = (StepEnd,)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.holds = False
        self.held: WeakKeyDictionary[Any, list[Held]] = WeakKeyDictionary()

    def step(self, event: Step) -> None:
        optimizer = event.optimizer
        if self.holds and optimizer in self.held:
            self._follow(optimizer)
        elif self.run.step % EVERY == 0:
            frozen = [p for p in _frozen(optimizer) if type(p.grad) is type(p.data)][:FEW]
            if frozen:
                self.held[optimizer] = [Held(p) for p in frozen]
                self.holds = True

    def _follow(self, optimizer: Any) -> None:
        held = []
        with unwatched():
            for each in self.held.pop(optimizer):
                parameter = each.parameter()
                if parameter is not None and each.is_stale(parameter):
                    each.before = sample_of(parameter)
                    held.append(each)
        if held:
            self.held[optimizer] = held
            self.listen(StepEnd)
        self.holds = bool(self.held)

    def step_end(self, event: StepEnd) -> None:
        self.ignore(StepEnd)
        moved = []
        with unwatched():
            for each in self.held.pop(event.optimizer, []):
                parameter = each.parameter()
                if parameter is None or each.before is None:
                    continue
                if not sample_of(parameter).equal(each.before):
                    moved.append(parameter)
        self.holds = bool(self.held)
        if moved:
            names = [name for name in self.run.parameter_names(moved) if name]
            listed = shorten(", ".join(f"`{name}`" for name in names), 80, placeholder=" ...")
            says = say("moved-while-frozen", names=listed, optimizer=spoken(event.optimizer))
            self.report(says, parameters=len(moved))


def _frozen(optimizer: Any) -> list[Tensor]:
    return [
        p
        for group in optimizer.param_groups
        for p in group["params"]
        if not p.requires_grad and p.grad is not None
    ]
