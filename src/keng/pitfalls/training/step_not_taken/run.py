"""A running program: an optimizer steps and moves nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, ref

import torch

from keng.model import Hits, Span, say
from keng.rules import watches
from keng.run.events import NewOptimizer, RunEnd, Step, ZeroGrad
from keng.run.facts.optimizer_coverage import UnreachedOptimizer
from keng.run.frames import here, spoken
from keng.run.optimizers import parameters_of
from keng.run.recorder import Recorder
from keng.run.state import RunState, unwatched

if TYPE_CHECKING:
    from torch import Tensor

FROM, UNTIL = 3, 33
"""Steps. Some optimizers gather gradients over several steps before they move, and count these as
theirs."""
TIMES = 20
"""Times that gradients were cleared without a step, and steps of other optimizers."""
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


@dataclass(slots=True)
class Cleared:
    """An optimizer that has not stepped: how often its gradients were cleared, where, what it is called, and
    one of its parameters as it was."""

    optimizer: ref[Any]
    name: str
    count: int
    place: Span | None
    times: int
    parameter: ref[Tensor]
    version: int

    def is_idle(self) -> bool:
        parameter = self.parameter()
        return parameter is not None and parameter._version == self.version


class NeverStepped(Recorder):
    """Optimizers that are cleared again and again, while others step. One that waits for a later phase may
    step until the end of the run."""

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.cleared: dict[int, Cleared] = {}
        self.moved: set[int] = set()
        self.steps = 0

    def zero_grad(self, event: ZeroGrad) -> None:
        owner = event.owner
        known = self.cleared.get(id(owner))
        if known is not None:
            known.times += 1
        elif isinstance(owner, torch.optim.Optimizer) and len(self.cleared) < LOOKED_AT:
            held = parameters_of(owner)
            if held and id(held[0]) not in self.moved:
                first, place = held[0], here()
                self.cleared[id(owner)] = Cleared(
                    ref(owner), spoken(owner), len(held), place, 1, ref(first), first._version
                )

    def new_optimizer(self, event: NewOptimizer) -> None:
        self.cleared.pop(id(event.optimizer), None)
        self.moved |= {id(p) for p in parameters_of(event.optimizer)}

    def step(self, event: Step) -> None:
        self.steps += 1
        if self.steps >= UNTIL and not self.cleared:
            self.ignore(ZeroGrad, Step)

    def run_end(self, event: RunEnd) -> None:
        for each in self.cleared.values():
            often = each.times >= TIMES and self.steps >= TIMES
            if often and each.optimizer() is not None and each.is_idle():
                values = {"optimizer": each.name, "times": each.times, "count": each.count}
                self.report(say("never-steps", **values), where=each.place, parameters=each.count)


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
