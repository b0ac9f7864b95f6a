"""Steps at a learning rate that a scheduler, or the user, has made next to nothing."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary, ref

from keng.model import Span
from keng.run.bus import Recorder
from keng.run.frames import here, spoken
from keng.run.lines import rate_set_at
from keng.run.moments import VanishedRate
from keng.run.state import Facts, Scene

NOTHING = 1e-7
"""Of the highest rate that the optimizer has had: next to this, float32 weights do not move."""
STEPS = 20


class Rates(Recorder):
    """A schedule may end at zero; training that goes on there was given another length. A rate that is set by
    hand is looked at now and then."""

    makes = ("rate.vanished",)
    rests = ("step_end",)

    def __init__(self, scene: Scene) -> None:
        super().__init__(scene)
        self.highest: WeakKeyDictionary[Any, float] = WeakKeyDictionary()
        self.low: WeakKeyDictionary[Any, tuple[Any, int, Span | None]] = WeakKeyDictionary()

    def optimizer(self, optimizer: Any) -> None:
        self._look(optimizer, None)

    def scheduler(self, scheduler: Any) -> None:
        self._look(scheduler.optimizer, scheduler)

    def paused(self) -> None:
        for optimizer in list(self.highest):
            self._look(optimizer, None)

    def pass_begin(self, iterator: Any, batch: Any) -> None:
        self.paused()

    def _look(self, optimizer: Any, scheduler: Any) -> None:
        rate = _rate(optimizer)
        highest = max(rate, self.highest.get(optimizer, _initial(optimizer)))
        self.highest[optimizer] = highest
        if rate > NOTHING * highest:
            self.low.pop(optimizer, None)
        elif highest and optimizer not in self.low:
            by = ref(scheduler) if scheduler is not None else None
            self.low[optimizer] = by, 0, here() if by else rate_set_at() or here()
            self.wake("step_end")

    def step_end(self, optimizer: Any) -> None:
        if not self.low:
            self.rest("step_end")
        if optimizer not in self.low:
            return
        scheduler, steps, where = self.low[optimizer]
        if scheduler is None and _rate(optimizer) > NOTHING * self.highest[optimizer]:
            del self.low[optimizer]
            return
        self.low[optimizer] = scheduler, steps + 1, where
        if steps + 1 == STEPS:
            self._say(optimizer, scheduler() if scheduler is not None else None, where)

    def _say(self, optimizer: Any, scheduler: Any, where: Span | None) -> None:
        name = spoken(optimizer)
        moment = VanishedRate(
            self.scene.step,
            Facts(),
            name,
            type(scheduler).__name__ if scheduler is not None else "",
            _rate(optimizer),
            self.highest[optimizer],
            STEPS,
            where,
        )
        self.scene.show("rate.vanished", moment)


def _rate(optimizer: Any) -> float:
    return max(float(group.get("lr", 1)) for group in optimizer.param_groups)


def _initial(optimizer: Any) -> float:
    return max(
        float(group.get("initial_lr", group.get("lr", 1))) for group in optimizer.param_groups
    )
