"""A running program: the rate of a schedule is not the one that the weights are trained with."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from types import FunctionType
from typing import Any
from weakref import WeakKeyDictionary, ref

from torch.optim import lr_scheduler

from keng.model import Span, say
from keng.run.events import NewOptimizer, SchedulerInit, SchedulerStep, StateRestored, Step
from keng.run.frames import here, spoken
from keng.run.optimizers import parameters_of
from keng.run.recorder import Recorder
from keng.run.state import RunState

IDLE = 3
"""Steps of a schedule without one of its optimizer, while another one trains the same parameters."""
ALIKE = 0.05
"""How much the rate of a checkpoint may differ from that with which a schedule continues."""
LONGEST = 20_000
"""Counts of a schedule among which that of a checkpoint is looked for."""
COMPOSED = (lr_scheduler.SequentialLR, lr_scheduler.ChainedScheduler)


@dataclass(slots=True)
class Counter:
    """What a schedule counted when it last set a rate, and where. `steps` of the optimizer are followed from
    then on; `idle` counts the steps of the schedule that found none."""

    count: int
    where: Span | None
    steps: int = 0
    idle: int = 0


class AppliedRates(Recorder):
    """Schedules, and whether the optimizer that steps is theirs. Where the program sets the counter of a
    schedule, the rate stays what it was until the schedule steps."""

    dormant = (Step,)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.counters: WeakKeyDictionary[Any, Counter] = WeakKeyDictionary()
        self.optimizers: list[ref[Any]] = []
        self.last: ref[Any] | None = None
        self.restored: WeakKeyDictionary[Any, list[tuple[float, Any]]] = WeakKeyDictionary()

    def new_optimizer(self, event: NewOptimizer) -> None:
        self.optimizers.append(ref(event.optimizer))

    def scheduler_init(self, event: SchedulerInit) -> None:
        self._note(event.scheduler)
        self.listen(Step)
        restored = self.restored.pop(getattr(event.scheduler, "optimizer", None), None)
        if restored is not None and type(event.scheduler) is lr_scheduler.LambdaLR:
            self._continued(event.scheduler, restored)

    def scheduler_step(self, event: SchedulerStep) -> None:
        scheduler = event.scheduler
        known = self.counters.get(scheduler)
        if known is not None and not known.steps:
            self._idle(scheduler, known)
        self._note(scheduler, known.idle if known is not None and not known.steps else 0)

    def state_restored(self, event: StateRestored) -> None:
        """The parts of a SequentialLR are restored with it, and set no rate themselves."""
        groups = getattr(event.owner, "param_groups", None)
        if groups is not None:
            self.restored[event.owner] = [(float(g["lr"]), g.get("initial_lr")) for g in groups]
        for scheduler, known in self.counters.items():
            known.count = scheduler.last_epoch

    def _note(self, scheduler: Any, idle: int = 0) -> None:
        count = getattr(scheduler, "last_epoch", None)
        if isinstance(count, int) and not isinstance(scheduler, COMPOSED):
            self.counters[scheduler] = Counter(count, here(), idle=idle)

    def step(self, event: Step) -> None:
        self.last = ref(event.optimizer)
        for scheduler, known in self.counters.items():
            if not _is_same(getattr(scheduler, "optimizer", None), event.optimizer):
                continue
            known.steps += 1
            if known.steps == 1 and 0 <= scheduler.last_epoch != known.count:
                self._compare(scheduler, known)

    def _compare(self, scheduler: Any, known: Counter) -> None:
        """The counter was set by hand, and no rate was set since. Of several schedules of one optimizer it is
        not known which of them sets the rate."""
        groups = scheduler.optimizer.param_groups
        if sum(each.optimizer is scheduler.optimizer for each in self.counters) > 1:
            return
        wanted = _promised(scheduler)
        rates = [float(group["lr"]) for group in groups]
        if len(wanted) != len(rates) or all(map(_near, rates, wanted)):
            return
        at = next(n for n, pair in enumerate(zip(rates, wanted, strict=True)) if not _near(*pair))
        says = say(
            "counter-set",
            scheduler=spoken(scheduler),
            count=scheduler.last_epoch,
            rate=f"{rates[at]:.3g}",
            wanted=f"{wanted[at]:.3g}",
        )
        self.report(says, where=_set_at() or known.where)

    def _continued(self, scheduler: Any, restored: list[tuple[float, Any]]) -> None:
        """A schedule that is created for an optimizer from a checkpoint, to continue at some count: the rate of
        the checkpoint is the one that it gives at another count."""
        count = scheduler.last_epoch
        kept, base = restored[0]
        if count < 1 or base is None or len(restored) != len(scheduler.base_lrs):
            return
        rate = float(scheduler.optimizer.param_groups[0]["lr"])
        if kept <= 0 or abs(rate - kept) <= ALIKE * kept or base != scheduler.base_lrs[0]:
            return
        found = [n for n in _counts_with(scheduler, kept) if abs(n - count) > 1]
        if found:
            steps = _steps_of(scheduler.optimizer)
            values = {"scheduler": spoken(scheduler), "count": count, "rate": f"{rate:.3g}"}
            at = steps if steps in found else found[-1]
            self.report(say("continues-elsewhere", **values, kept=f"{kept:.3g}", at=at))

    def _idle(self, scheduler: Any, known: Counter) -> None:
        """A schedule whose optimizer does not step while another one trains the same parameters."""
        known.idle += 1
        own, trains = scheduler.optimizer, self.last() if self.last is not None else None
        if known.idle != IDLE or trains is None or _is_same(trains, own):
            return
        held = {id(parameter) for parameter in parameters_of(own)}
        if any(id(parameter) in held for parameter in parameters_of(trains)):
            rates = sorted({f"{group['lr']:.3g}" for group in trains.param_groups})
            says = say("other-optimizer", scheduler=spoken(scheduler), rate=" / ".join(rates))
            self.report(says)


def _is_same(one: Any, other: Any) -> bool:
    """Whether two optimizers have a group in common: a wrapper (Accelerate, Lightning) has those of the one
    that steps."""
    groups = {id(group) for group in getattr(one, "param_groups", ())}
    return one is other or any(id(group) in groups for group in getattr(other, "param_groups", ()))


def _promised(scheduler: Any) -> list[float]:
    """The rates at what the schedule has counted, where a formula gives them."""
    if type(scheduler) is lr_scheduler.LambdaLR:
        pairs = zip(scheduler.base_lrs, scheduler.lr_lambdas, strict=True)
        return [float(base * factor(scheduler.last_epoch)) for base, factor in pairs]
    formula = getattr(scheduler, "_get_closed_form_lr", None)
    return [float(rate) for rate in formula()] if formula is not None else []


def _counts_with(scheduler: Any, rate: float) -> list[int]:
    """The counts at which a schedule gives a rate; none where its formula is an object, which may count itself."""
    factor = scheduler.lr_lambdas[0]
    if not isinstance(factor, (FunctionType, partial)):
        return []
    base = scheduler.base_lrs[0]
    counts = range(LONGEST)
    return [n for n in counts if math.isclose(float(base * factor(n)), rate, rel_tol=1e-9)]


def _steps_of(optimizer: Any) -> int:
    """The steps that an optimizer like Adam has counted, 0 for others."""
    states = (state.get("step", 0) for state in optimizer.state.values())
    return int(next(states, 0))


def _near(rate: float, wanted: float) -> bool:
    return math.isclose(rate, wanted, rel_tol=1e-3, abs_tol=1e-12)


def _set_at() -> Span | None:
    """The one line of the program that sets the counter of something."""
    from keng.run.user_code import codes, line

    found = {
        line(code, node)
        for code in dict.fromkeys(codes())
        for node in code.tree.attributes_by_name.get("last_epoch", [])
        if type(node.ctx).__name__ == "Store"
    }
    return found.pop() if len(found) == 1 else None
