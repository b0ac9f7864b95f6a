"""A running program: the targets of a loss are the tokens two positions after those that the model was given."""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import ref

import torch

from keng.model import say
from keng.pitfalls.loss._shared_run import share_equal
from keng.run.events import Forward, Loss, RootModule
from keng.run.recorder import Recorder
from keng.run.state import RunState, unwatched

if TYPE_CHECKING:
    from torch import Tensor

LOOKS, TIMES, LOSSES = 8, 3, 32
"""Losses that are compared; so many must agree; losses among which they are looked for."""
SAME, OTHER = 0.98, 0.5
"""Share of the targets that are the token two positions later; share of those that are the next one, at most:
where tokens repeat, as in padding, both agree."""


class TwiceShiftedTargets(Recorder):
    """Compares the targets of `cross_entropy` with the tokens of the last forward, both (rows, positions)."""

    dormant = (Forward, Loss)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.tokens: ref[Tensor] | None = None
        self.losses = self.looks = self.twice = 0

    def root_module(self, event: RootModule) -> None:
        if self.losses < LOSSES:
            self.listen(Forward, Loss)

    def forward(self, event: Forward) -> None:
        tokens = next((t for t in event.inputs if t.dtype is torch.long and t.dim() == 2), None)
        plain = tokens is not None and tokens.is_cpu and tokens.shape[1] > 4
        self.tokens = (
            ref(tokens) if plain and tokens is not None and event.module.training else None
        )

    def loss(self, event: Loss) -> None:
        self.losses += 1
        if self.losses == LOSSES:
            self.ignore(Forward, Loss, RootModule)
        tokens = self.tokens() if self.tokens is not None else None
        if event.function != "cross_entropy" or tokens is None:
            return
        target = event.args[1]
        if not isinstance(target, torch.Tensor):
            return  # the call is about to fail
        if not target.is_cpu or target.dtype is not torch.long or target.numel() % len(tokens):
            return
        with unwatched():
            targets = target.reshape(len(tokens), -1)
            if not 0 <= tokens.shape[1] - targets.shape[1] <= 2:
                return
            once, twice = (share_equal(tokens, targets, shift) for shift in (1, 2))
        self.looks += 1
        self.twice += twice >= SAME and once <= OTHER
        if once > OTHER:
            self.twice = -LOOKS  # several heads, of which one predicts the next token
        if self.twice == TIMES:
            self.report(say("two-positions-later"), share=round(twice, 3))
        if self.twice == TIMES or self.looks == LOOKS:
            self.ignore(Forward, Loss, RootModule)
