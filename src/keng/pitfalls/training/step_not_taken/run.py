"""A running program: an optimizer steps and moves nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, ref

import torch

from keng.model import Hits, say
from keng.rules import watches
from keng.run.events import NewOptimizer, Step
from keng.run.facts.optimizer_coverage import UnreachedOptimizer
from keng.run.frames import spoken
from keng.run.recorder import Recorder
from keng.run.state import RunState, unwatched

if TYPE_CHECKING:
    from torch import Tensor

FROM, UNTIL = 3, 33
"""Steps. Some optimizers gather gradients over several steps before they move, and count these as
theirs."""
LOOKED_AT = 4
SMALL = 4096
"""Elements. Of a large table a step may move a few rows."""


@dataclass(slots=True)
class Ledger:
    steps: int = 0
    kept: tuple[tuple[ref[Tensor], int, Tensor], ...] = ()


class UnmovedParameters(Recorder):
    """Two looks at a few small parameters: one counts as moved where its version or its values differ, for
    a fused step changes values alone, and one at a tiny rate versions alone."""

    dormant = (Step,)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.ledgers: WeakKeyDictionary[Any, Ledger] = WeakKeyDictionary()

    def new_optimizer(self, event: NewOptimizer) -> None:
        self.ledgers[event.optimizer] = Ledger()
        self.listen(Step)

    def step(self, event: Step) -> None:
        optimizer = event.optimizer
        ledger = self.ledgers[optimizer]
        ledger.steps += 1
        if ledger.steps == FROM:
            with unwatched():
                ledger.kept = tuple(
                    (ref(p), p._version, p.detach().clone()) for p in _live(optimizer)
                )
        elif ledger.steps == UNTIL:
            with unwatched():
                self._look(optimizer, ledger)
            ledger.kept = ()
            if all(known.steps >= UNTIL for known in self.ledgers.values()):
                self.ignore(Step)

    def _look(self, optimizer: Any, ledger: Ledger) -> None:
        live = {id(p) for p in _live(optimizer)}
        rests = [
            p is not None and id(p) in live and p._version == version and p.equal(before)
            for known, version, before in ledger.kept
            for p in (known(),)
        ]
        if rests and all(rests):
            steps = UNTIL - FROM
            says = say("moved-nothing", optimizer=spoken(optimizer), steps=steps)
            self.report(says, steps=steps)


def _live(optimizer: Any) -> list[Tensor]:
    """Small parameters with a gradient that is not zero, at a rate that is not, either."""
    found = [
        p
        for group in optimizer.param_groups
        for p in group["params"]
        if p.grad is not None and group.get("lr", 0) > 0 and not group.get("fused")
    ]
    small = [p for p in found if p.numel() <= SMALL and not p.grad.is_sparse][:LOOKED_AT]
    near = [p for p in small if p.device == small[0].device]
    moving = _read([p.grad.any() for p in near])
    return [p for p, moves in zip(near, moving, strict=True) if moves]


def _read(flags: list[Tensor]) -> list[bool]:
    """With one look at the device for all, where they are no shards."""
    if flags and all(type(flag) is torch.Tensor for flag in flags):
        together: list[bool] = torch.stack(flags).tolist()
        return together
    return [bool(flag) for flag in flags]


@watches(UnreachedOptimizer)
def reached_by_no_backward(fact: UnreachedOptimizer) -> Hits:
    counts = {"steps": fact.steps, "count": fact.count}
    says = say("reached-by-none", optimizer=fact.optimizer, **counts)
    yield fact.hit(says, steps=fact.steps, parameters=fact.count)
