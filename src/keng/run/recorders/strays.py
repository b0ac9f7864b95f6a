"""Attributes of torch's own things that torch does not know, and that nobody reads."""

from __future__ import annotations

from typing import Any
from weakref import WeakSet

from keng.run.events import EpochEnd, NewOptimizer, RunEnd, Step
from keng.run.frames import spoken
from keng.run.lines import only_set_at, sets_rates
from keng.run.moments import StrayAttribute
from keng.run.optimizers import parameters_of
from keng.run.recorder import Recorder
from keng.run.state import PlaceFacts, RunState

UNTIL = 30
"""Steps after which it is looked for at the end of a pass and of the program alone."""


class Strays(Recorder):
    """Parameters are looked at once, when an optimizer steps for the first time; a rate may be set at any
    step, on an optimizer of torch's own: another's may read it."""

    provides = ("attribute.stray",)
    dormant = (Step,)
    sampled = (Step,)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.said: set[str] = set()
        self.optimizers: WeakSet[Any] = WeakSet()
        self.steps = 0

    def new_optimizer(self, event: NewOptimizer) -> None:
        self.optimizers.add(event.optimizer)
        if self.steps < UNTIL:
            self.listen(Step)
        for parameter in parameters_of(event.optimizer):
            for attribute in _switches(parameter):
                name = self.run.parameter_name(parameter) or "a parameter"
                self._show("parameter", name, attribute)

    def step(self, event: Step) -> None:
        self.steps += 1
        if self.steps == UNTIL:
            self.ignore(Step)
        self._look(event.optimizer)

    def epoch_end(self, event: EpochEnd) -> None:
        for optimizer in self.optimizers:
            self._look(optimizer)

    def run_end(self, event: RunEnd) -> None:
        for optimizer in self.optimizers:
            self._look(optimizer)

    def _look(self, optimizer: Any) -> None:
        if "lr" not in vars(optimizer) or "lr" in self.said:
            return
        rates = [group["lr"] for group in optimizer.param_groups]
        own = type(optimizer).__module__.startswith("torch.optim.")
        # One that is in force is noted; one that comes into force may be.
        if not own or optimizer.lr in rates:
            return
        if sets_rates():
            self.said.add("lr")  # all files are read for it, once
        else:
            self._show("optimizer", spoken(optimizer), "lr")

    def _show(self, kind: str, name: str, attribute: str) -> None:
        if attribute in self.said:
            return
        self.said.add(attribute)
        place = only_set_at(attribute, owned=kind == "optimizer")
        if place is not None:
            moment = StrayAttribute(self.run.step, PlaceFacts(place), kind, name, attribute)
            self.run.show("attribute.stray", moment)


def _switches(parameter: Any) -> list[str]:
    """Attributes that are yes or no, and named as a request."""
    own = vars(parameter).items() if hasattr(parameter, "__dict__") else ()
    return [name for name, value in own if name[:3] == "req" and type(value) is bool]
