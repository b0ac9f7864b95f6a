"""What a training loop does: batches, forwards, backwards, steps."""

from __future__ import annotations

from functools import cached_property

from keng.run.moments.base import Moment, moment


@moment("loader.batch")
class Batch(Moment):
    """A DataLoader has handed out a batch; `number` counts from 1 in each pass over it."""

    number: int
    waited: float


@moment("module.forward")
class Forward(Moment):
    """The user has called a module that no other module's forward called."""

    training: bool
    records: bool

    @cached_property
    def module(self) -> str:
        """As the user names it."""
        return str(self.ask.module())


@moment("functional.dropout")
class FunctionalDropout(Moment):
    """One of the functions `F.dropout` and its kin was called, and not by a dropout module."""

    function: str
    p: float
    training: bool

    @cached_property
    def module(self) -> str:
        """The module whose forward made the call, or nothing."""
        return str(self.ask.module())

    @cached_property
    def module_training(self) -> bool | None:
        """Its mode; None where no module made the call."""
        mode: bool | None = self.ask.module_training()
        return mode


@moment("backward")
class Backward(Moment):
    """Gradients have been computed; `adds` where they were added to `.grad`."""

    adds: bool


@moment("optimizer.step")
class OptimizerStep(Moment):
    optimizer: str


@moment("zero_grad")
class ZeroGrad(Moment):
    """`zero_grad` of an optimizer or of a module was called."""

    to_none: bool


@moment("scheduler.step")
class SchedulerStep(Moment):
    """`early` where the optimizer has not stepped since the scheduler was made."""

    scheduler: str
    rates: tuple[float, ...]
    early: bool


@moment("evaluation")
class Evaluation(Moment):
    """A module has been run on data and not trained on it; said when that is certain.

    `whole` where the data was a DataLoader's and all of it was used, one call a batch; otherwise a loss
    was taken at each call, or gradients were recorded in vain. `fresh` where the module has never been
    trained on this data, `trained` where it has been trained at all, `used` where its outputs were not
    thrown away, `scored` where they are compared with something, as with labels.
    """

    module: str
    forwards: int
    training: bool
    records: bool
    whole: bool
    fresh: bool
    trained: bool
    used: bool
    scored: bool

    @cached_property
    def mode_layers(self) -> tuple[str, ...]:
        """Layers that work otherwise in training: dropout, batch normalization and their kin."""
        layers: tuple[str, ...] = self.ask.mode_layers()
        return layers


@moment("end")
class End(Moment):
    """Watching ends."""
