"""Steps at a learning rate that a scheduler has made next to nothing."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary, ref

from keng.model import Span
from keng.moments import VanishedRate
from keng.runtime.bus import Recorder
from keng.runtime.places import here, spoken
from keng.runtime.scene import Facts, Scene

NOTHING = 1e-7
"""Of the highest rate that the optimizer has had: next to this, float32 weights do not move."""
STEPS = 20


class Rates(Recorder):
    """A schedule may end at zero; training that goes on there was given another length."""

    makes = ("rate.vanished",)
    rests = ("step_end",)

    def __init__(self, scene: Scene) -> None:
        super().__init__(scene)
        self.highest: WeakKeyDictionary[Any, float] = WeakKeyDictionary()
        self.low: WeakKeyDictionary[Any, tuple[Any, int, Span | None]] = WeakKeyDictionary()

    def scheduler(self, scheduler: Any) -> None:
        optimizer = scheduler.optimizer
        rate = max(float(group["lr"]) for group in optimizer.param_groups)
        highest = max(rate, self.highest.get(optimizer, _initial(optimizer)))
        self.highest[optimizer] = highest
        if rate > NOTHING * highest:
            self.low.pop(optimizer, None)
        elif optimizer not in self.low:
            self.low[optimizer] = ref(scheduler), 0, here()
            self.wake("step_end")

    def step_end(self, optimizer: Any) -> None:
        if not self.low:
            self.rest("step_end")
        if optimizer not in self.low:
            return
        scheduler, steps, where = self.low[optimizer]
        self.low[optimizer] = scheduler, steps + 1, where
        if steps + 1 == STEPS:
            self._say(optimizer, scheduler(), where)

    def _say(self, optimizer: Any, scheduler: Any, where: Span | None) -> None:
        name = spoken(optimizer)
        rate = max(float(group["lr"]) for group in optimizer.param_groups)
        moment = VanishedRate(
            self.scene.step,
            Facts(),
            name,
            type(scheduler).__name__,
            rate,
            self.highest[optimizer],
            STEPS,
            where,
        )
        self.scene.show("rate.vanished", moment)


def _initial(optimizer: Any) -> float:
    return max(float(group.get("initial_lr", group["lr"])) for group in optimizer.param_groups)
