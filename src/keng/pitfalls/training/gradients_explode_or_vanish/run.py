"""A running program: gradients grow without bound, or do not reach some layers."""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import median
from textwrap import shorten
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from keng.model import say
from keng.run.device_reads import Underway
from keng.run.events import NewOptimizer, Step, StepEnd
from keng.run.optimizers import norms_of
from keng.run.recorder import Recorder
from keng.run.state import RunState, unwatched
from keng.run.step_sizes import StepSizes
from keng.run.written_rates import lowered

if TYPE_CHECKING:
    from torch import Tensor
    from torch.optim import Optimizer

FIRST, DENSE, LAST_DENSE, SPARSE = 5, 10, 100, 50
"""The first steps, then every tenth up to the hundredth, then every fiftieth of those that are
dispatched."""
IN_A_ROW = 4
TIMES = 1000
FAINT = 1e-10


@dataclass(slots=True)
class Ledger:
    step: int = 0
    totals: list[float] = field(default_factory=list)
    rising: int = 0
    zeros: dict[int, int] = field(default_factory=dict)
    late: tuple[list[Tensor], Underway] | None = None


class GradientNorms(Recorder):
    """On a device the norms are read at the next look, when they have long been computed."""

    sampled = (Step,)
    dormant = (StepEnd,)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.ledgers: WeakKeyDictionary[Optimizer, Ledger] = WeakKeyDictionary()
        self.sizes = StepSizes()
        self.measuring = False

    def new_optimizer(self, event: NewOptimizer) -> None:
        self._measure(self.sizes.add(event.optimizer))

    def step_end(self, event: StepEnd) -> None:
        with unwatched():
            self._measure(not self.sizes.after(event.optimizer))

    def _measure(self, measuring: bool) -> None:
        self.measuring = measuring
        (self.listen if measuring else self.ignore)(StepEnd)

    def step(self, event: Step) -> None:
        optimizer = event.optimizer
        if self.measuring:
            with unwatched():
                self.sizes.before(optimizer)
        ledger = self.ledgers.get(optimizer)
        if ledger is None:
            ledger = self.ledgers[optimizer] = Ledger()
        step = ledger.step = ledger.step + 1
        if step > FIRST and step % (DENSE if step <= LAST_DENSE else SPARSE):
            return
        if hasattr(optimizer, "grad_scale"):
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
            if norm == 0 and p.dim() > 1 and p.requires_grad
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
        self._report_growth(ledger, total)
        if ratio < FAINT:
            self._report_faint(parameters[faint], parameters[strong], ratio)
        if dead:
            self._report_dead(dead)

    def _report_growth(self, ledger: Ledger, total: float) -> None:
        usual = median(ledger.totals[:3])
        if ledger.rising >= 3 and total > TIMES * usual > 0 and total > TIMES:
            grown = {"usual": f"{usual:.3g}", "total": f"{total:.3g}"}
            large = self.sizes.too_large()
            if large is None:
                self.report(say("norm-grows", **grown), norm=total)
                return
            words = large.words()
            where, fix = lowered(large, say("lower-rate", wanted=words["wanted"]))
            says = say("rate-too-high", **words, **grown)
            self.report(says, where=where, fix=fix, norm=total)

    def _report_faint(self, faint: Tensor, strong: Tensor, ratio: float) -> None:
        weak, other = self._names([faint, strong])
        says = say("gradient-faint", weak=weak, strong=other, ratio=f"{ratio:.1e}")
        self.report(says, ratio=ratio)

    def _report_dead(self, dead: list[Tensor]) -> None:
        named = [f"`{name}`" for name in self.run.parameter_names(dead) if name]
        names = shorten(", ".join(named), 80, placeholder=" ...") if named else say("a-parameter")
        self.report(say("gradient-zero", names=names), parameters=len(dead))

    def _names(self, parameters: list[Tensor]) -> tuple[str, ...]:
        found = self.run.parameter_names(parameters)
        return tuple(f"`{name}`" if name else say("a-parameter") for name in found)
