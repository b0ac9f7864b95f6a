"""A running program: functional dropout stays on in evaluation."""

from __future__ import annotations

import sys
from typing import Any

import torch

from keng.model import say
from keng.run.events import Dropout, Forward
from keng.run.frames import is_user
from keng.run.recorder import Recorder
from keng.run.sampling import Sampler
from keng.run.state import RunState

FUNCTIONS = {
    "feature_dropout": "feature dropout",
    "alpha_dropout": "alpha_dropout",
    "feature_alpha_dropout": "feature_alpha_dropout",
}


class FunctionalDropout(Recorder):
    """Looks at the first calls of each place and mode and then at some: an encoder may drop out a
    hundred times a step."""

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
        module = _module_around(frame)
        if module is not None and not module.training:
            values = {"p": f"{float(p):g}", "module": self.run.module_name(module)}
            function = FUNCTIONS.get(event.function, event.function)
            says = say("dropout-in-eval-mode", function=function, **values)
            if event.function == "attention":
                says = say("attention-in-eval-mode", **values)
            self.report(says)


def _module_around(frame: Any) -> torch.nn.Module | None:
    """The `self` of the nearest forward around the call."""
    while frame is not None and frame.f_code.co_name != "_call_impl":
        owner = frame.f_locals.get("self")
        if isinstance(owner, torch.nn.Module):
            return owner
        frame = frame.f_back
    return None
