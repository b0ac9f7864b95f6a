"""A running program: algorithms are tried out for speed in a run that is to be repeatable."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import torch

from keng.model import say
from keng.run.events import Forward
from keng.run.recorder import Recorder
from keng.run.sampling import Sampler
from keng.run.state import RunState

if TYPE_CHECKING:
    from torch.nn import Module

MOST, MANY = 64, 16
"""Shapes that are counted of one module, and after which the searches are felt."""


class CudnnSearches(Recorder):
    """The shapes of inputs for which cuDNN searches an algorithm, module by module."""

    sampled = (Forward,)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.shapes: WeakKeyDictionary[Module, set[Any]] = WeakKeyDictionary()
        self.sampler = Sampler(first=40, every=20)

    def forward(self, event: Forward) -> None:
        inputs = event.inputs
        if not torch.backends.cudnn.benchmark:
            # Who wants it says so before the first forward.
            self.ignore(Forward)
            return
        if not inputs or not self.sampler.due():
            return
        seen = self.shapes.setdefault(event.module, set())
        if len(seen) < MOST:
            seen.add(tuple(inputs[0].shape))
        if torch.backends.cudnn.deterministic:
            self.report(say("both-on"))
        if inputs[0].is_cuda and len(seen) >= MANY:
            says = say("searches-for-each-shape", shapes=len(seen))
            self.report(says, shapes=len(seen))
