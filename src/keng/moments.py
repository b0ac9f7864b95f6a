"""What watchers are shown: moments of a running program, named in `MOMENTS`.

Plain objects, made by the engine, that hold no torch and need none.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

from keng.model import Fix, Hit, Span

MOMENTS: dict[str, type] = {}
"""Name of a moment, as `@pitfall.watches` takes it -> the class that is shown."""

Class = TypeVar("Class", bound=type)


def _moment(name: str) -> Callable[[Class], Class]:
    def register(kind: Class) -> Class:
        MOMENTS[name] = kind
        return kind

    return register


@dataclass(frozen=True)
class Moment:
    """Something that has just happened, while it can still be asked about.

    `step` counts optimizer steps from 1. What is cheap is a field; what is dear is a property that
    asks the runtime engine when a watcher first wants it, and keeps the answer for the others. `ask`
    is the engine's side of it: no watcher touches it.
    """

    step: int
    ask: Any = field(repr=False, compare=False)

    def hit(
        self,
        says: str,
        sure: bool = True,
        where: Span | None = None,
        fix: Fix | None = None,
        **evidence: Any,
    ) -> Hit:
        """A hit at the line of the user's own code that is running now."""
        return Hit(says, where or self.ask.place(), {"step": self.step, **evidence}, fix, sure)


@_moment("loader.batch")
@dataclass(frozen=True)
class Batch(Moment):
    """A DataLoader has handed out a batch; `number` counts from 1 in each pass over it."""

    number: int
    waited: float


@_moment("module.forward")
@dataclass(frozen=True)
class Forward(Moment):
    """The user has called a module that no other module's forward called."""

    training: bool
    records: bool

    @cached_property
    def module(self) -> str:
        """As the user names it."""
        return str(self.ask.module())


@_moment("functional.dropout")
@dataclass(frozen=True)
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


@dataclass(frozen=True, slots=True)
class Labels:
    """Class labels against what the input has room for, over all calls of this loss so far. Labels
    equal to `ignore_index` are left out."""

    lowest: int
    highest: int
    classes: int

    @property
    def verdict(self) -> str:
        """What is wrong with the labels, and which of the two mends it; nothing where they fit."""
        head = f"the model has {self.classes} outputs, for 0 to {self.classes - 1}"
        seen = f"labels run from {self.lowest} to {self.highest}"
        if self.lowest >= 0 and self.highest < self.classes:
            return ""
        if self.lowest < 0:
            return f"{seen}, but {head}: a negative label is no class"
        if self.lowest >= 1 and self.highest == self.classes:
            return f"{seen}, but {head}: subtract 1 from the labels"
        return f"{seen}, but {head}: {self.highest + 1} outputs are needed, or other labels"


@_moment("loss")
@dataclass(frozen=True)
class LossCall(Moment):
    """One of torch's loss functions is about to be called, by itself or through its module."""

    function: str

    @cached_property
    def input(self) -> str:
        """What the user calls the loss's input, or nothing."""
        return str(self.ask.input())

    @cached_property
    def input_made_by(self) -> str:
        """ "softmax", "log_softmax", "sigmoid" ...: the last operation over classes before the loss,
        views apart; nothing where no gradient is recorded."""
        return str(self.ask.input_made_by())

    @cached_property
    def input_module(self) -> str:
        """The module whose output the input is, or nothing."""
        return str(self.ask.input_module())

    @cached_property
    def labels(self) -> Labels | None:
        """None for losses without class labels, and for most batches: only some are looked at, and
        none where the labels are on a device that would have to be waited for."""
        labels: Labels | None = self.ask.labels()
        return labels


@_moment("backward")
@dataclass(frozen=True)
class Backward(Moment):
    """Gradients have been computed; `adds` where they were added to `.grad`."""

    adds: bool


@_moment("optimizer.step")
@dataclass(frozen=True)
class OptimizerStep(Moment):
    optimizer: str


@_moment("zero_grad")
@dataclass(frozen=True)
class ZeroGrad(Moment):
    """`zero_grad` of an optimizer or of a module was called."""

    to_none: bool


@_moment("scheduler.step")
@dataclass(frozen=True)
class SchedulerStep(Moment):
    scheduler: str
    rates: tuple[float, ...]


@_moment("gradients.carried")
@dataclass(frozen=True)
class CarriedGradients(Moment):
    """The gradients that an optimizer has already used were still there when later ones were added
    to them, for `steps` steps in a row."""

    optimizer: str
    steps: int


@dataclass(frozen=True, slots=True)
class Idle:
    """A parameter whose gradient has been exactly zero, not None, at each of `steps` steps, and
    which has moved all the same."""

    name: str
    steps: int
    norm_before: float
    norm_now: float
    weight_decay: float
    momentum: float


@_moment("parameters.idle")
@dataclass(frozen=True)
class IdleParameters(Moment):
    optimizer: str
    parameters: tuple[Idle, ...]


@dataclass(frozen=True, slots=True)
class Holder:
    """What keeps graphs alive: the variable, list or attribute as the user names it, and the line
    that puts them there. `bounded` where it is of a fixed length."""

    name: str
    where: Span | None
    bounded: bool


@_moment("graphs.held")
@dataclass(frozen=True)
class HeldGraphs(Moment):
    """Graphs of past steps that are still alive: one more at each step."""

    graphs: int

    @cached_property
    def holder(self) -> Holder | None:
        holder: Holder | None = self.ask.holder()
        return holder

    @cached_property
    def bytes(self) -> int:
        """About how much memory they take."""
        return int(self.ask.bytes())


@_moment("evaluation")
@dataclass(frozen=True)
class Evaluation(Moment):
    """A module has been run on data and not trained on it; said when that is certain.

    `whole` where the data was a DataLoader's and all of it was used, one call a batch; otherwise a loss
    was taken at each call, or gradients were recorded in vain. `fresh` where the module has never been
    trained on this data, `trained` where it has been trained at all, `used` where its outputs were not
    thrown away.
    """

    module: str
    forwards: int
    training: bool
    records: bool
    whole: bool
    fresh: bool
    trained: bool
    used: bool

    @cached_property
    def mode_layers(self) -> tuple[str, ...]:
        """Layers that work otherwise in training: dropout, batch normalization and their kin."""
        layers: tuple[str, ...] = self.ask.mode_layers()
        return layers


@dataclass(frozen=True, slots=True)
class Origin:
    """Where the first value that is not finite came from, as far as it is known.

    `cause`: "data", "labels", "domain" (a function at the edge of where it is defined), "overflow",
    "exploded" (values have grown over the steps), "weights" (they were not finite before) or nothing.
    `operation` is the function's name, `module` the path in the model, `sample` an index into the
    batch; `detail` tells in words what went in.
    """

    cause: str
    detail: str = ""
    operation: str = ""
    module: str = ""
    sample: int | None = None
    where: Span | None = None


@_moment("not.finite")
@dataclass(frozen=True)
class NotFinite(Moment):
    """The loss, or the gradients, became NaN or infinite for the first time. `batch` counts from 1 in
    the pass over the DataLoader, 0 where there is none."""

    what: str
    value: str
    batch: int

    @cached_property
    def origin(self) -> Origin:
        origin: Origin = self.ask.origin()
        return origin


@_moment("end")
@dataclass(frozen=True)
class End(Moment):
    """Watching ends."""
