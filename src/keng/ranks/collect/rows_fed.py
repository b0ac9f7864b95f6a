"""Which samples a model in parallel training is fed, over the first pass: ranks that share the work have no
sample in common. What counts is the data itself, by digests, however the program finds its way to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import torch.distributed as dist
from torch.nn import Module
from torch.nn.parallel import DistributedDataParallel

from keng.model import Span
from keng.ranks.collect import digests
from keng.ranks.collect.parallel_models import is_parallel
from keng.ranks.collect.section import Looks, Part
from keng.ranks.reports import FedRows
from keng.run.events import EpochEnd, Forward
from keng.run.frames import here
from keng.run.state import RunState, unwatched

if TYPE_CHECKING:
    from torch import Tensor

MOST, MOST_STEPS = 8192, 512
"""Samples and steps of the first pass that are read."""
SENT = 512
"""Digests that are sent, about: of more, those in the first part of the range of hashes."""


class RowsFed(Part):
    """The pass ends where a loader does, or with the batch in which a sample returns."""

    def __init__(self, run: RunState, looks: Looks) -> None:
        super().__init__(run, looks)
        self._rows: list[Tensor] = []
        self._count = 0
        self._model: Module | None = None
        self._where: Span | None = None

    def forward(self, event: Forward) -> None:
        if not event.module.training or not event.inputs or not is_parallel(event.module):
            return
        if self._model is not None and self._model is not event.module:
            return  # of a second model, which may be fed what the first returns
        self._model, self._where = event.module, here()
        tensors = [each for each in event.inputs if digests.is_whole(each)]
        size = next((each.shape[0] for each in tensors if each.dim()), 0)
        with unwatched():
            rows = digests.rows(tensors, size)
        if rows is not None:
            self._rows.append(rows)
            self._count += size
        if self._count >= MOST or len(self._rows) >= MOST_STEPS:
            self._end()

    def epoch_end(self, event: EpochEnd) -> None:
        if self._rows:
            self._end()

    def _end(self) -> None:
        self.ignore(Forward, EpochEnd)

    def draft(self) -> Callable[[], Mapping[str, Any]]:
        rows, where, members = list(self._rows), self._where, _members(self._model)
        together = groups_used()

        def read() -> Mapping[str, Any]:
            kept = _first_pass(rows)
            part = -(-len(kept) // SENT)
            fed = FedRows(tuple(kept), 1, where, members, together)
            fed = fed._replace(rows=tuple(fed.within(part)), part=part)
            return {"fed_rows": fed if where else None}

        return read


def _first_pass(rows: list[Tensor]) -> list[int]:
    """The samples before one comes again."""
    seen: dict[int, None] = {}
    for batch in rows:
        new = batch.tolist()
        if any(row in seen for row in new) or len(set(new)) < len(new):
            break
        seen.update(dict.fromkeys(new))
    return list(seen)


def _members(model: Module | None) -> tuple[int, ...]:
    """The ranks that train the model together."""
    if isinstance(model, DistributedDataParallel):
        return tuple(dist.get_process_group_ranks(model.process_group))
    return tuple(range(dist.get_world_size())) if dist.is_initialized() else ()


def groups_used() -> tuple[tuple[int, ...], ...]:
    """The groups of some ranks only in which this one has made collectives: they may split one sample."""
    if not dist.is_initialized():
        return ()
    groups: Iterable[Any] = dist.distributed_c10d._world.pg_map
    world = dist.get_world_size()
    return tuple(
        tuple(dist.get_process_group_ranks(group))
        for group in groups
        if 1 < group.size() < world and group._get_sequence_number_for_group() > 0
    )
