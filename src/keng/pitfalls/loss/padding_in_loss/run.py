"""A running program: labels that are a copy of the ids, padding included."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from keng.model import Span, say
from keng.run.events import Forward, ForwardEnd, LossEnd, RootModule, RunEnd
from keng.run.frames import here
from keng.run.recorder import Recorder
from keng.run.state import RunState, unwatched

if TYPE_CHECKING:
    from torch import Tensor

IGNORED = -100
FORWARDS = 32
"""Forwards that are checked, after which no more are until another module is called."""
BATCHES = 8
FEWEST = 4
"""Batches of a run that ends before."""
SHARE = 0.05
"""Of the labels that are learned, those of padding."""
TARGET = 1
"""Where cross entropy takes its targets."""


class LearnedPadding(Recorder):
    """Labels of a model that is given ids, a mask of attention and labels: what the mask hides and a label
    is for is padding, where it is one token, and more than once in a row. The first may be the end of the
    text. The loss must count as many targets as there are labels: a model may leave some out itself."""

    dormant = (Forward, ForwardEnd, LossEnd)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.forwards = self.batches = self.padding = self.learned = self.counted = 0
        self.given: tuple[Any, ...] = ()
        self.tokens: set[int] = set()
        self.where: Span | None = None

    def root_module(self, event: RootModule) -> None:
        self.forwards = 0
        self.listen(Forward)

    def forward(self, event: Forward) -> None:
        self.forwards += 1
        if self.forwards > FORWARDS:
            self.ignore(Forward)
        wanted: list[Any] = [event.kwargs.get(n) for n in ("input_ids", "labels", "attention_mask")]
        ids, labels, mask = wanted
        if torch.is_grad_enabled() and _alike(ids, labels) and _alike(ids, mask):
            self.counted, self.given = 0, (ids, labels, mask)
            self.listen(LossEnd, ForwardEnd)

    def loss_end(self, event: LossEnd) -> None:
        target = event.args[TARGET] if len(event.args) > TARGET else None
        if event.function == "cross_entropy" and isinstance(target, torch.Tensor):
            with unwatched():
                self.counted = 0 if target.is_floating_point() else int((target != IGNORED).sum())

    def forward_end(self, event: ForwardEnd) -> None:
        self.ignore(LossEnd, ForwardEnd)
        given, self.given = self.given, ()
        if not given:
            return
        self.where = self.where or here()
        with unwatched():
            self._count(*given)
        if self.batches == BATCHES:
            self._judge()

    def run_end(self, event: RunEnd) -> None:
        if FEWEST <= self.batches < BATCHES:
            self._judge()

    def _count(self, ids: Tensor, labels: Tensor, mask: Tensor) -> None:
        learned = labels[:, 1:] != IGNORED
        total = int(learned.sum())
        if not total or total != self.counted:
            return
        padding = learned & (mask[:, 1:] == 0)
        self.tokens |= set(ids[:, 1:][padding].tolist())
        self.batches += 1
        self.learned += total
        # The first of a row may be the end of its text.
        self.padding += int((padding.sum(1) - 1).clamp(min=0).sum())

    def _judge(self) -> None:
        self.ignore(Forward, ForwardEnd, LossEnd)
        if len(self.tokens) == 1 and self.padding >= SHARE * self.learned:
            share = f"{self.padding / self.learned:.0%}"
            says = say("labels-of-padding", share=share, token=next(iter(self.tokens)))
            self.report(says, where=self.where, padding=self.padding)


def _alike(ids: Any, other: Any) -> bool:
    """Whether both are (rows, positions)."""
    tensors = isinstance(ids, torch.Tensor) and isinstance(other, torch.Tensor)
    return tensors and ids.dim() == 2 and ids.shape == other.shape
