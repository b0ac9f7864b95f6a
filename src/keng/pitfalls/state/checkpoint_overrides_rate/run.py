"""A running program: a checkpoint sets a learning rate back that was lowered for the resumed run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary, WeakSet

from torch.optim import Optimizer

from keng.model import Span, say
from keng.run.events import NewOptimizer, StateRestored, StateRestoring, Step
from keng.run.frames import here, spoken
from keng.run.recorder import Recorder
from keng.run.state import RunState

LOWER = 0.99
"""Of the restored rate: a rate below this was chosen, not rounded."""


@dataclass(slots=True)
class Overridden:
    """The rate that an optimizer was created with and the one it was restored to, on the line `where`."""

    given: float
    restored: float
    where: Span | None


class RestoredRates(Recorder):
    """A schedule lowers the rate of a checkpoint, so only a restored rate that is higher counts, and only
    in an optimizer that has not stepped. The program may set the rate again before the first step."""

    dormant = (Step,)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.stepped: WeakSet[Any] = WeakSet()
        self.given: WeakKeyDictionary[Any, list[float | None]] = WeakKeyDictionary()
        self.overridden: WeakKeyDictionary[Any, Overridden] = WeakKeyDictionary()

    def new_optimizer(self, event: NewOptimizer) -> None:
        self.stepped.add(event.optimizer)

    def state_restoring(self, event: StateRestoring) -> None:
        if isinstance(event.owner, Optimizer) and event.owner not in self.stepped:
            self.given[event.owner] = _rates(event.owner)

    def state_restored(self, event: StateRestored) -> None:
        given = self.given.pop(event.owner, None) if isinstance(event.owner, Optimizer) else None
        for before, after in zip(given or [], _rates(event.owner) if given else [], strict=False):
            if before is not None and after is not None and 0 < before < LOWER * after:
                self.overridden[event.owner] = Overridden(before, after, here())
                self.listen(Step)
                return

    def step(self, event: Step) -> None:
        found = self.overridden.pop(event.optimizer, None)
        if found is not None and found.restored in _rates(event.optimizer):
            given, restored = f"{found.given:.3g}", f"{found.restored:.3g}"
            says = say(
                "rate-restored", optimizer=spoken(event.optimizer), given=given, restored=restored
            )
            self.report(says, where=found.where, rate=found.restored)
        if not self.overridden:
            self.ignore(Step)


def _rates(optimizer: Any) -> list[float | None]:
    """The rate of each group that its schedule begins with; None where the schedule has set that as well."""
    groups = optimizer.param_groups
    return [
        None if "max_lr" in group else float(group.get("initial_lr", group.get("lr", 0)))
        for group in groups
    ]
