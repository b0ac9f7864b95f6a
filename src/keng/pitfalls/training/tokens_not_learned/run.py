"""A running program: labels that leave out the end of every text, or all tokens of a batch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from keng.model import Span, say
from keng.run.events import Forward, RootModule, RunEnd
from keng.run.frames import here
from keng.run.recorder import Recorder
from keng.run.state import RunState, unwatched

if TYPE_CHECKING:
    from torch import Tensor

IGNORED = -100
BATCHES = 50
ENDS = 20
"""Ends of texts that must have come, none of which is learned."""
SOME, SHARE = 8, 0.25
"""Batches without labels, and their share of all, that are no accident of a long prompt."""


class LearnedTokens(Recorder):
    """Counts the labels of models that know which token ends a text, and are given ids and labels: those are
    the ids, with -100 in places, where the model predicts the next token."""

    dormant = (Forward,)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.where: Span | None = None
        self.batches = self.empty = self.ends = self.learned_ends = self.learned = 0

    def root_module(self, event: RootModule) -> None:
        if _ends_of(event.module):
            self.listen(Forward)

    def forward(self, event: Forward) -> None:
        given, ends = event.kwargs, _ends_of(event.module)
        wanted: list[Any] = [given.get(n) for n in ("input_ids", "labels", "attention_mask")]
        ids, labels, mask = wanted
        if not (torch.is_grad_enabled() and ends and _alike(ids, labels)):
            return
        with unwatched():
            self._count(ids, labels, mask if _alike(ids, mask) else None, ends)
        self.where = self.where or here()
        if self.batches == BATCHES:
            self._judge()

    def run_end(self, event: RunEnd) -> None:
        if 0 < self.batches < BATCHES:
            self._judge()

    def _count(self, ids: Tensor, labels: Tensor, mask: Tensor | None, ends: list[int]) -> None:
        learned = labels != IGNORED
        if not torch.equal(
            labels[learned], ids[learned]
        ):  # masked words, or labels that are shifted
            self.batches = BATCHES + 1
            self.ignore(Forward)
            return
        self.batches += 1
        self.empty += not bool(learned.any())
        self.learned += int(learned.sum())
        if mask is not None:
            real = torch.isin(ids, torch.tensor(ends, device=ids.device)) & (mask == 1)
            self.ends += int(real.sum())
            self.learned_ends += int((real & learned).sum())

    def _judge(self) -> None:
        self.ignore(Forward)
        count = self.batches
        if self.empty >= SOME and self.empty >= SHARE * count:
            says = say("batches-without-labels", empty=self.empty, count=count)
            self.report(says, where=self.where, batches=count)
        elif self.ends >= ENDS and self.learned and not self.learned_ends:
            self.report(say("end-never-learned", ends=self.ends), where=self.where, batches=count)


def _ends_of(module: Any) -> list[int]:
    """The tokens that end a text, by the configuration of a model that writes from left to right."""
    config = getattr(getattr(module, "module", module), "config", None)
    ends = getattr(config, "eos_token_id", None)
    if getattr(config, "is_encoder_decoder", False) or isinstance(ends, bool):
        return []
    if isinstance(ends, int):
        return [ends]
    return [each for each in ends if isinstance(each, int)] if isinstance(ends, list) else []


def _alike(ids: Any, other: Any) -> bool:
    """Whether both are (rows, positions)."""
    tensors = isinstance(ids, torch.Tensor) and isinstance(other, torch.Tensor)
    return tensors and ids.dim() == 2 and ids.shape == other.shape
