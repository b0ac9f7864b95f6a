"""Moments that are what a tap saw and nothing more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from keng.run import moments
from keng.run.events import (
    BackwardEnd,
    Batch,
    ForwardEnd,
    NewOptimizer,
    RunEnd,
    ScalerStep,
    SchedulerStep,
    StepEnd,
    ZeroGrad,
)
from keng.run.recorder import Recorder
from keng.run.state import Facts, RunState

if TYPE_CHECKING:
    pass


class Batches(Recorder):
    provides = ("loader.batch",)

    def batch(self, event: Batch) -> None:
        self.run.show(
            "loader.batch",
            moments.Batch(self.run.step, Facts(), event.iterator._num_yielded, event.waited),
        )


class ForwardFacts(Facts):
    def __init__(self, run: RunState, module: Any) -> None:
        self._run, self._module = run, module

    def module(self) -> str:
        return self._run.module_name(self._module)


class Forwards(Recorder):
    provides = ("module.forward",)

    def forward_end(self, event: ForwardEnd) -> None:
        records = any(tensor.grad_fn is not None for tensor in event.outputs)
        facts = ForwardFacts(self.run, event.module)
        self.run.show(
            "module.forward", moments.Forward(self.run.step, facts, event.module.training, records)
        )


class Backwards(Recorder):
    provides = ("backward",)

    def backward_end(self, event: BackwardEnd) -> None:
        self.run.show("backward", moments.Backward(self.run.step, Facts(), event.accumulates))


class Steps(Recorder):
    provides = ("optimizer.step",)

    def step_end(self, event: StepEnd) -> None:
        moment = moments.OptimizerStep(self.run.step, Facts(), type(event.optimizer).__name__)
        self.run.show("optimizer.step", moment)


class ZeroGrads(Recorder):
    provides = ("zero_grad",)

    def zero_grad(self, event: ZeroGrad) -> None:
        self.run.show("zero_grad", moments.ZeroGrad(self.run.step, Facts(), event.set_to_none))


class Schedulers(Recorder):
    provides = ("scheduler.step",)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.stepped: WeakSet[Any] = WeakSet()

    def new_optimizer(self, event: NewOptimizer) -> None:
        self.stepped.add(event.optimizer)

    def scaler_step(self, event: ScalerStep) -> None:
        """It may skip the first steps, which is none of the scheduler's fault."""
        self.stepped.add(event.optimizer)

    def scheduler_step(self, event: SchedulerStep) -> None:
        scheduler = event.scheduler
        optimizer = scheduler.optimizer
        rates = tuple(float(group["lr"]) for group in optimizer.param_groups)
        # `_opt_called` is torch's own note, of steps before the watch as well.
        early = (
            optimizer not in self.stepped
            and not getattr(optimizer, "_opt_called", False)
            and getattr(scheduler, "_step_count", 0) == 2
        )
        moment = moments.SchedulerStep(
            self.run.step, Facts(), type(scheduler).__name__, rates, early
        )
        self.run.show("scheduler.step", moment)


class Ends(Recorder):
    provides = ("end",)

    def run_end(self, event: RunEnd) -> None:
        self.run.show("end", moments.End(self.run.step, Facts()))


PLAIN: tuple[type[Recorder], ...] = (
    Batches,
    Forwards,
    Backwards,
    Steps,
    ZeroGrads,
    Schedulers,
    Ends,
)
