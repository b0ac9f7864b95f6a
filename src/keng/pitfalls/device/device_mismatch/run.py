"""A running program: tensors on different devices meet in one operation."""

from __future__ import annotations

from keng.model import say
from keng.run.events import ForwardFailed
from keng.run.recorder import Recorder


class FailedForwards(Recorder):
    def forward_failed(self, event: ForwardFailed) -> None:
        weights = {str(p.device) for p in event.module.parameters()}
        given = {str(t.device) for t in event.inputs if t.dim()}
        if len(weights) != 1 or len(given) != 1 or weights == given:
            return
        if "device" in str(event.error):
            name = self.run.module_name(event.module)
            says = say("all-inputs-elsewhere", name=name, weights=weights.pop(), given=given.pop())
            self.report(says)
