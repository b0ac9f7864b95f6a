"""Backwards that fail since gradients are switched off."""

from __future__ import annotations

from typing import Any

import torch

from keng.model import Span
from keng.moments import GradientsOff
from keng.runtime.bus import Recorder
from keng.runtime.lines import statement_of
from keng.runtime.scene import Facts, tensors_in


class SwitchFacts(Facts):
    def switch(self) -> Span | None:
        return statement_of("set_grad_enabled", False)


class GradOff(Recorder):
    makes = ("gradients.off",)

    def backward_failed(self, outputs: Any, error: Exception) -> None:
        if torch.is_grad_enabled() or any(t.requires_grad for t in tensors_in(outputs)):
            return
        self.scene.show("gradients.off", GradientsOff(self.scene.step, SwitchFacts()))
