"""A running program: tokens that were added have rows in an embedding that is frozen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import torch

from keng.model import Span, say
from keng.run.events import Forward, RootModule, RunEnd
from keng.run.frames import here
from keng.run.recorder import Recorder
from keng.run.state import RunState, unwatched

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module

BATCHES = 8
"""Batches of training whose tokens are gathered."""
ROWS = 4096
"""Rows of the embedding whose mean is computed."""
NEAR = 0.05
"""Distance of a row from the mean of all, as a share of the typical distance. Transformers draws added
rows at 3e-5; the mean of so many rows is known to 0.016."""
MANY = 0.25
"""Share of the tokens in use: where that many lie at the mean, the table is something else."""


class AddedTokens(Recorder):
    """A row of an embedding that lies at the mean of all rows says nothing about its token: so are rows
    initialized that are added to a table. Where the table is frozen they stay so."""

    dormant = (Forward,)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.used: WeakKeyDictionary[Module, Tensor] = WeakKeyDictionary()
        self.batches = 0
        self.where: Span | None = None

    def root_module(self, event: RootModule) -> None:
        if _frozen_table(event.module) is not None:
            self.listen(Forward)

    def forward(self, event: Forward) -> None:
        table = _frozen_table(event.module) if torch.is_grad_enabled() else None
        ids = next(
            (t for t in event.inputs if t.dim() == 2 and t.dtype in (torch.int64, torch.int32)),
            None,
        )
        if table is None or ids is None or not event.module.training:
            return
        self.where = self.where or here()
        with unwatched():
            mask = event.kwargs.get("attention_mask")
            real = isinstance(mask, torch.Tensor) and mask.shape == ids.shape
            used = torch.unique(ids[mask != 0] if real else ids)
            before = self.used.get(event.module)
            self.used[event.module] = (
                used if before is None else torch.unique(torch.cat([before, used]))
            )
        self.batches += 1
        if self.batches == BATCHES:
            self._judge()

    def run_end(self, event: RunEnd) -> None:
        if 0 < self.batches < BATCHES:
            self._judge()

    def _judge(self) -> None:
        self.ignore(Forward)
        for module, used in list(self.used.items()):
            table = _frozen_table(module)
            if table is not None:
                with unwatched():
                    added = _at_the_mean(table, used[(used >= 0) & (used < len(table))])
                if added:
                    shown = ", ".join(map(str, added[:4])) + (", ..." if len(added) > 4 else "")
                    says = say(
                        "rows-at-mean",
                        count=len(added),
                        tokens=shown,
                        model=self.run.module_name(module),
                    )
                    self.report(says, where=self.where, tokens=len(added))
        self.used.clear()


def _frozen_table(module: Any) -> Tensor | None:
    """The weights of the input embedding, (tokens, features), where other parameters are trained and none
    that belongs to the embedding: an adapter or a copy of it."""
    inner = getattr(module, "module", module)
    get = getattr(inner, "get_input_embeddings", None)
    try:
        embedding = get() if callable(get) else None
    except Exception:  # a base class without one raises
        return None
    weight = getattr(embedding, "weight", None)
    if not isinstance(embedding, torch.nn.Module) or not isinstance(weight, torch.Tensor):
        return None
    if any(p.requires_grad for p in embedding.parameters()) or weight.dim() != 2:
        return None
    plain = type(weight.data) is torch.Tensor and weight.is_floating_point() and not weight.is_meta
    return weight if plain and any(p.requires_grad for p in inner.parameters()) else None


def _at_the_mean(table: Tensor, used: Tensor) -> list[int]:
    some = table[:: max(1, len(table) // ROWS)].float()
    mean = some.mean(0)
    typical = float((some - mean).norm(dim=1).median())
    rows = table[used].float()
    near = ((rows - mean).norm(dim=1) < NEAR * typical) & (rows != 0).any(1)
    found: list[int] = used[near].tolist()
    return found if len(found) <= MANY * len(used) else []
