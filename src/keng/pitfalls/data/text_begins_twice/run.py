"""A running program: texts begin with the token that begins a text twice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from keng.model import say
from keng.run.events import Forward, RootModule
from keng.run.recorder import Recorder
from keng.run.state import RunState, unwatched

if TYPE_CHECKING:
    from torch import Tensor

ROWS = 16
"""Texts, all of which begin so."""
BATCHES = 32
"""Batches that are checked."""


class TextBeginnings(Recorder):
    """Token ids of models that know which token begins a text, where it is neither padding nor the end."""

    dormant = (Forward,)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.rows = self.batches = 0

    def root_module(self, event: RootModule) -> None:
        if _beginning_of(event.module) is not None:
            self.listen(Forward)

    def forward(self, event: Forward) -> None:
        ids, mask = event.kwargs.get("input_ids"), event.kwargs.get("attention_mask")
        begin = _beginning_of(event.module)
        if begin is None or not isinstance(ids, torch.Tensor) or ids.dim() != 2:
            return
        self.batches += 1
        with unwatched():
            twice = ids.size(1) > 2 and _all_begin_twice(ids, mask, begin)
        self.rows += ids.size(0) if twice else 0
        if not twice or self.batches == BATCHES or self.rows >= ROWS:
            self.ignore(Forward)
        if twice and self.rows >= ROWS:
            self.report(say("two-beginnings", token=begin), rows=self.rows)


def _beginning_of(module: Any) -> int | None:
    config = getattr(getattr(module, "module", module), "config", None)
    begin = getattr(config, "bos_token_id", None)
    others = (getattr(config, "eos_token_id", None), getattr(config, "pad_token_id", None))
    known = type(begin) is int and not getattr(config, "is_encoder_decoder", False)
    return begin if known and begin not in others else None


def _all_begin_twice(ids: Tensor, mask: Any, begin: int) -> bool:
    """Whether the first two real tokens of each row are the one that begins a text."""
    real = mask == 1 if isinstance(mask, torch.Tensor) and mask.shape == ids.shape else ids == ids
    first = real.int().argmax(1).clamp(max=ids.size(1) - 2)
    rows = torch.arange(ids.size(0), device=ids.device)
    return bool((ids[rows, first] == begin).all() and (ids[rows, first + 1] == begin).all())
