"""Norms of gradients, over the layers and the steps."""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import median
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import torch

from keng.run.device_reads import Underway
from keng.run.events import Step
from keng.run.frames import name_of
from keng.run.moments import GradientNorms
from keng.run.recorder import Recorder
from keng.run.state import Facts, RunState, unwatched

if TYPE_CHECKING:
    from torch import Tensor
    from torch.optim import Optimizer

FIRST, DENSE, SPARSE = 5, 10, 50
"""Every step looked at first, then every tenth up to the hundredth, then every fiftieth of those that
it is told."""
IN_A_ROW = 4


@dataclass(slots=True)
class Ledger:
    step: int = 0
    totals: list[float] = field(default_factory=list)
    rising: int = 0
    zeros: dict[int, int] = field(default_factory=dict)
    late: tuple[list[Tensor], Underway] | None = None

    def due(self) -> bool:
        step = self.step
        return step <= FIRST or (step % DENSE == 0 and step <= 100) or step % SPARSE == 0


class Norms(Recorder):
    """On a device the norms are read at the next look, when they have long been computed."""

    provides = ("gradients.norms",)
    sampled = (Step,)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.ledgers: WeakKeyDictionary[Optimizer, Ledger] = WeakKeyDictionary()

    def step(self, event: Step) -> None:
        optimizer = event.optimizer
        ledger = self.ledgers.get(optimizer)
        if ledger is None:
            ledger = self.ledgers[optimizer] = Ledger()
        ledger.step += 1
        if not ledger.due() or hasattr(optimizer, "grad_scale"):
            return
        with unwatched():
            parameters, norms = norms_of(optimizer)
            if norms is None:
                return
            if norms.is_cpu:
                self._look(optimizer, ledger, parameters, norms.tolist())
                return
            read, ledger.late = ledger.late, (parameters, Underway(norms))
            if read is not None and read[1].come():
                self._look(optimizer, ledger, read[0], read[1].values())

    def _look(
        self, optimizer: Any, ledger: Ledger, parameters: list[Tensor], norms: list[list[float]]
    ) -> None:
        gradients, weights = norms
        total = sum(norm * norm for norm in gradients) ** 0.5
        ledger.rising = ledger.rising + 1 if ledger.totals and total > ledger.totals[-1] else 0
        ledger.totals = [*ledger.totals[:FIRST], total]
        ledger.zeros = {
            id(p): ledger.zeros.get(id(p), 0) + 1
            for p, norm in zip(parameters, gradients, strict=True)
            if norm == 0 and p.dim() > 1
        }
        dead = [p for p in parameters if ledger.zeros.get(id(p), 0) >= IN_A_ROW] if total else []
        ratios = {
            index: gradient / weight
            for index, (gradient, weight) in enumerate(zip(gradients, weights, strict=True))
            if gradient and weight and parameters[index].dim() > 1
        }
        faint = min(ratios, key=lambda i: ratios[i], default=0)
        strong = max(ratios, key=lambda i: ratios[i], default=0)
        ratio = ratios[faint] / ratios[strong] if ratios else 1.0
        ends = self._names([parameters[faint], parameters[strong]]) if ratio < 1e-6 else ("", "")
        moment = GradientNorms(
            self.run.step,
            Facts(),
            name_of(optimizer) if dead or ratio < 1e-6 or ledger.rising > 2 else "",
            total,
            median(ledger.totals[:3]),
            ledger.rising,
            self._names(dead),
            ends[0],
            ends[1],
            ratio,
        )
        self.run.show("gradients.norms", moment)

    def _names(self, parameters: list[Tensor]) -> tuple[str, ...]:
        return tuple(name or "a parameter" for name in self.run.parameter_names(parameters))


def norms_of(optimizer: Any) -> tuple[list[Tensor], Tensor | None]:
    """The dense parameters on one device with a gradient, and the norms of both."""
    held = [p for group in optimizer.param_groups for p in group["params"] if p.grad is not None]
    kept = [p for p in held if not p.grad.is_sparse and p.device == held[0].device]
    kept = [p for p in kept if type(p.data) is torch.Tensor and p.is_floating_point()]
    if not kept:
        return [], None
    rows = [
        torch._foreach_norm([p.grad for p in kept]),
        torch._foreach_norm([p.data for p in kept]),
    ]
    return kept, torch.stack([torch.stack([n.float() for n in row]) for row in rows])
