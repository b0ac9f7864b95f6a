"""A running program: a checkpoint sets back what an optimizer was given for the resumed run."""

from __future__ import annotations

from dataclasses import dataclass
from inspect import signature
from typing import Any
from weakref import WeakKeyDictionary, WeakSet

from torch.optim import Optimizer

from keng.model import Span, say
from keng.run.events import NewOptimizer, StateRestored, StateRestoring, Step
from keng.run.frames import here, spoken
from keng.run.recorder import Recorder
from keng.run.state import RunState

SETTINGS = ("weight_decay", "momentum", "betas", "eps", "nesterov", "amsgrad", "alpha")
"""What a schedule does not change. A schedule of cycles changes momentum, and is left out by its own keys."""
LOWER = 0.99
"""Of the restored rate: a rate below this was chosen, not rounded."""


@dataclass(slots=True)
class Overridden:
    """What an optimizer was created with and what it was restored to, on the line `where`. `setting` is its
    name in a group; empty for the rate with which a schedule begins."""

    setting: str
    given: Any
    restored: Any
    where: Span | None

    def is_still(self, optimizer: Any) -> bool:
        if not self.setting:
            return self.restored in _rates(optimizer)
        return any(group.get(self.setting) == self.restored for group in optimizer.param_groups)


class RestoredRates(Recorder):
    """A schedule lowers the rate of a checkpoint, so only a restored rate that is higher counts, and only
    in an optimizer that has not stepped. The program may set the rate again before the first step."""

    dormant = (Step,)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.stepped: WeakSet[Any] = WeakSet()
        self.given: WeakKeyDictionary[Any, list[float | None]] = WeakKeyDictionary()
        self.settings: WeakKeyDictionary[Any, list[dict[str, Any]]] = WeakKeyDictionary()
        self.overridden: WeakKeyDictionary[Any, Overridden] = WeakKeyDictionary()

    def new_optimizer(self, event: NewOptimizer) -> None:
        self.stepped.add(event.optimizer)

    def state_restoring(self, event: StateRestoring) -> None:
        if isinstance(event.owner, Optimizer) and event.owner not in self.stepped:
            self.given[event.owner] = _rates(event.owner)
            self.settings[event.owner] = [_chosen(group) for group in event.owner.param_groups]

    def state_restored(self, event: StateRestored) -> None:
        if not isinstance(event.owner, Optimizer):
            return
        found = self._overridden(event.owner)
        if found is not None:
            self.overridden[event.owner] = found
            self.listen(Step)

    def _overridden(self, optimizer: Any) -> Overridden | None:
        given, settings = self.given.pop(optimizer, []), self.settings.pop(optimizer, [])
        for before, after in zip(given, _rates(optimizer) if given else [], strict=False):
            if before is not None and after is not None and 0 < before < LOWER * after:
                return Overridden("", before, after, here())
        for chosen, group in zip(settings, optimizer.param_groups, strict=False):
            for key, value in chosen.items():
                # What was left at its default was not chosen.
                if group.get(key) != value and value != _default(type(optimizer), key):
                    return Overridden(key, value, group.get(key), here())
        return None

    def step(self, event: Step) -> None:
        found = self.overridden.pop(event.optimizer, None)
        if found is not None and found.is_still(event.optimizer):
            self._report(event.optimizer, found)
        if not self.overridden:
            self.ignore(Step)

    def _report(self, optimizer: Any, found: Overridden) -> None:
        if found.setting:
            values = {"setting": found.setting, "given": found.given, "restored": found.restored}
            says = say("setting-restored", optimizer=spoken(optimizer), **values)
            self.report(says, where=found.where)
            return
        given, restored = f"{found.given:.3g}", f"{found.restored:.3g}"
        says = say("rate-restored", optimizer=spoken(optimizer), given=given, restored=restored)
        self.report(says, where=found.where, rate=found.restored)


def _rates(optimizer: Any) -> list[float | None]:
    """The rate of each group that its schedule begins with; None where the schedule has set that as well."""
    groups = optimizer.param_groups
    return [
        None if "max_lr" in group else float(group.get("initial_lr", group.get("lr", 0)))
        for group in groups
    ]


def _chosen(group: dict[str, Any]) -> dict[str, Any]:
    cycles = "max_momentum" in group or "base_momentum" in group
    return {} if cycles else {key: group[key] for key in SETTINGS if key in group}


def _default(kind: type, key: str) -> Any:
    parameters = signature(kind).parameters
    return parameters[key].default if key in parameters else None
