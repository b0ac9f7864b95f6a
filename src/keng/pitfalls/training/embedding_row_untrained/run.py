"""A running program: an evaluation reads rows of an embedding that training has never read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from weakref import WeakSet, ref

import torch

from keng.model import say
from keng.run.events import EmbeddingLookup, NewOptimizer, StateLoaded
from keng.run.optimizers import holds
from keng.run.recorder import Recorder
from keng.run.state import RunState, unwatched

if TYPE_CHECKING:
    from torch import Tensor
    from torch.optim import Optimizer

TRAINED, STEPS = 40, 20
"""Reads in training whose rows are noted; steps after which evaluations are followed."""
LOOKS, TABLES = 8, 16
"""Evaluations of a table that are followed, and tables."""
LARGEST = 4_000_000
"""Numbers of a table that is followed."""
SHARE = 0.25
"""Share of the rows read by one call that no gradient has ever reached."""
MOMENTS = ("exp_avg_sq", "momentum_buffer", "sum", "square_avg")
"""What optimizers sum up of the gradients of a parameter: zero where there never was one."""


@dataclass(slots=True)
class Table:
    """The weight of an embedding. `seen` are the rows that were read with gradients; `moment` is what its optimizer
    sums up of the gradients, kept here since the optimizer may be gone when the model is evaluated."""

    weight: ref[Tensor]
    seen: Tensor
    moment: Tensor | None = None
    reads: int = 0
    looks: int = 0


class UntrainedRows(Recorder):
    """Rows whose gradients the optimizer has never seen, and that the first training steps have not read: those of
    padding are read, and masked."""

    sampled = (EmbeddingLookup,)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.tables: dict[int, Table] = {}
        self.optimizers: WeakSet[Optimizer] = WeakSet()
        self.loaded: set[int] = set()

    def new_optimizer(self, event: NewOptimizer) -> None:
        self.optimizers.add(event.optimizer)

    def state_loaded(self, event: StateLoaded) -> None:
        """What was trained elsewhere may hold what is not trained here."""
        self.loaded.update(id(p) for p in event.module.parameters())

    def embedding_lookup(self, event: EmbeddingLookup) -> None:
        weight = event.weight
        table = self.tables.get(id(weight))
        if table is None or table.weight() is not weight:
            if len(self.tables) == TABLES or not _may_learn(weight):
                return
            seen = torch.zeros(len(weight), dtype=torch.bool, device=weight.device)
            table = self.tables[id(weight)] = Table(ref(weight), seen)
        if torch.is_grad_enabled():
            if table.reads < TRAINED:
                table.reads += 1
                if table.moment is None and self.run.step > 1:
                    table.moment = self._moment(weight)
                with unwatched():
                    table.seen[event.indices.reshape(-1)] = True
        elif table.reads and table.looks < LOOKS and self.run.step > STEPS:
            table.looks += 1
            with unwatched():
                self._look(weight, table, event.indices.reshape(-1), event.padding)

    def _look(self, weight: Tensor, table: Table, indices: Tensor, padding: int) -> None:
        moment = table.moment
        if moment is None or id(weight) in self.loaded or not indices.numel():
            return
        untrained = (moment == 0).all(1) & ~table.seen
        if padding >= 0:
            untrained[padding] = False
        read = untrained[indices]
        share = float(read.float().mean())
        if share < SHARE or self._is_pretrained(weight):
            return
        table.looks = LOOKS
        rows = sorted(set(indices[read].tolist()))
        listed = ", ".join(map(str, rows[:3])) + (", ..." if len(rows) > 3 else "")
        values = {"name": self.run.parameter_name(weight) or "weight", "rows": listed}
        says = say("row-untrained", **values, share=f"{share:.0%}", steps=self.run.step - 1)
        self.report(says, rows=len(rows))

    def _moment(self, weight: Tensor) -> Tensor | None:
        """What the optimizer has summed up of the gradients; None without such a sum, or if it is not dense."""
        for optimizer in self.optimizers:
            if holds(optimizer, weight):
                state: Any = optimizer.state.get(weight, {})
                found = (state.get(name) for name in MOMENTS)
                plain = [m for m in found if isinstance(m, torch.Tensor)]
                same = [m for m in plain if m.shape == weight.shape and m.layout is torch.strided]
                return same[0] if same else None
        return None

    def _is_pretrained(self, weight: Tensor) -> bool:
        roots = (r for r in list(self.run.roots) if any(p is weight for p in r.parameters()))
        return any(getattr(getattr(r, "config", None), "name_or_path", "") for r in roots)


def _may_learn(weight: Tensor) -> bool:
    return weight.requires_grad and weight.dim() == 2 and weight.numel() <= LARGEST
