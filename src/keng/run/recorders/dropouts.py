"""Dropout functions called by the user's own forward."""

from __future__ import annotations

import sys
from functools import cached_property
from typing import Any

import torch

from keng.run.events import Dropout, Forward
from keng.run.frames import is_user
from keng.run.moments import FunctionalDropout
from keng.run.recorder import Recorder
from keng.run.sampling import Sampler
from keng.run.state import Facts, RunState

FUNCTIONS = {
    "feature_dropout": "feature dropout",
    "alpha_dropout": "alpha_dropout",
    "feature_alpha_dropout": "feature_alpha_dropout",
    "attention": "scaled_dot_product_attention",
}


class DropoutFacts(Facts):
    def __init__(self, run: RunState, frame: Any) -> None:
        self._run, self._frame = run, frame

    @cached_property
    def _module(self) -> Any:
        """The `self` of the nearest forward around the call."""
        frame = self._frame
        while frame is not None and frame.f_code.co_name != "_call_impl":
            owner = frame.f_locals.get("self")
            if isinstance(owner, torch.nn.Module):
                return owner
            frame = frame.f_back
        return None

    def module(self) -> str:
        return self._run.module_name(self._module) if self._module is not None else ""

    def module_training(self) -> bool | None:
        return bool(self._module.training) if self._module is not None else None


class Dropouts(Recorder):
    """Looks at the first calls of each place and mode and then at some: an encoder may drop out a
    hundred times a step."""

    provides = ("functional.dropout",)
    dormant = (Forward,)
    sampled = (Forward, Dropout)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.sampler = Sampler()
        self.root_training: bool | None = None

    def forward(self, event: Forward) -> None:
        self.root_training = event.module.training

    def dropout(self, event: Dropout) -> None:
        _, p, training = event.args
        if not training or not p:
            return
        frame: Any = sys._getframe(3)
        if frame.f_code.co_filename == torch.nn.functional.__file__:
            frame = frame.f_back
        if not is_user(frame.f_code.co_filename):
            return
        self.listen(Forward)
        if not self.sampler.due((frame.f_code, frame.f_lasti, self.root_training)):
            return
        facts = DropoutFacts(self.run, frame)
        spoken = FUNCTIONS.get(event.function, event.function)
        moment = FunctionalDropout(self.run.step, facts, spoken, float(p), bool(training))
        self.run.show("functional.dropout", moment)
