"""A running program: the rate of a schedule is not the one that the weights are trained with."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary, ref

from torch.optim import lr_scheduler

from keng.model import Span, say
from keng.run.events import NewOptimizer, SchedulerInit, SchedulerStep, Step
from keng.run.frames import here, spoken
from keng.run.optimizers import parameters_of
from keng.run.recorder import Recorder
from keng.run.state import RunState

IDLE = 3
"""Steps of a schedule without one of its optimizer, while another one trains the same parameters."""
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

    def new_optimizer(self, event: NewOptimizer) -> None:
        self.optimizers.append(ref(event.optimizer))

    def scheduler_init(self, event: SchedulerInit) -> None:
        self._note(event.scheduler)
        self.listen(Step)

    def scheduler_step(self, event: SchedulerStep) -> None:
        scheduler = event.scheduler
        known = self.counters.get(scheduler)
        if known is not None and not known.steps:
            self._idle(scheduler, known)
        self._note(scheduler, known.idle if known is not None and not known.steps else 0)

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
        """The counter was set by hand, and no rate was set since."""
        groups = scheduler.optimizer.param_groups
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
