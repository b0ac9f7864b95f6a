"""Moments that are what a tap saw and nothing more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from keng.run.bus import Recorder
from keng.run.moments import Backward, Batch, End, Forward, OptimizerStep, SchedulerStep, ZeroGrad
from keng.run.state import Facts, Scene

if TYPE_CHECKING:
    from torch import Tensor


class Batches(Recorder):
    makes = ("loader.batch",)

    def batch(self, iterator: Any, _: Any, waited: float) -> None:
        self.scene.show(
            "loader.batch", Batch(self.scene.step, Facts(), iterator._num_yielded, waited)
        )


class ForwardFacts(Facts):
    def __init__(self, scene: Scene, module: Any) -> None:
        self._scene, self._module = scene, module

    def module(self) -> str:
        return self._scene.module_name(self._module)


class Forwards(Recorder):
    makes = ("module.forward",)

    def forward_end(self, module: Any, inputs: list[Tensor], outputs: list[Tensor]) -> None:
        records = any(tensor.grad_fn is not None for tensor in outputs)
        facts = ForwardFacts(self.scene, module)
        self.scene.show("module.forward", Forward(self.scene.step, facts, module.training, records))


class Backwards(Recorder):
    makes = ("backward",)

    def backward_end(self, outputs: Any, adds: bool) -> None:
        self.scene.show("backward", Backward(self.scene.step, Facts(), adds))


class Steps(Recorder):
    makes = ("optimizer.step",)

    def step_end(self, optimizer: Any) -> None:
        moment = OptimizerStep(self.scene.step, Facts(), type(optimizer).__name__)
        self.scene.show("optimizer.step", moment)


class ZeroGrads(Recorder):
    makes = ("zero_grad",)

    def zero_grad(self, owner: Any, to_none: bool) -> None:
        self.scene.show("zero_grad", ZeroGrad(self.scene.step, Facts(), to_none))


class Schedulers(Recorder):
    makes = ("scheduler.step",)

    def __init__(self, scene: Scene) -> None:
        super().__init__(scene)
        self.stepped: WeakSet[Any] = WeakSet()

    def optimizer(self, optimizer: Any) -> None:
        self.stepped.add(optimizer)

    def scaler_step(self, scaler: Any, optimizer: Any) -> None:
        """It may skip the first steps, which is none of the scheduler's fault."""
        self.stepped.add(optimizer)

    def scheduler(self, scheduler: Any) -> None:
        optimizer = scheduler.optimizer
        rates = tuple(float(group["lr"]) for group in optimizer.param_groups)
        # `_opt_called` is torch's own note, of steps before the watch as well.
        early = (
            optimizer not in self.stepped
            and not getattr(optimizer, "_opt_called", False)
            and getattr(scheduler, "_step_count", 0) == 2
        )
        moment = SchedulerStep(self.scene.step, Facts(), type(scheduler).__name__, rates, early)
        self.scene.show("scheduler.step", moment)


class Ends(Recorder):
    makes = ("end",)

    def end(self) -> None:
        self.scene.show("end", End(self.scene.step, Facts()))


PLAIN: tuple[type[Recorder], ...] = (
    Batches,
    Forwards,
    Backwards,
    Steps,
    ZeroGrads,
    Schedulers,
    Ends,
)
