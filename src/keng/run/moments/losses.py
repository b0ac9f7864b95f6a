"""Losses, and values that are not finite."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from keng.model import Span
from keng.run.moments.base import Moment, moment

IGNORED = 255
"""What the masks of many segmentation data sets hold where there is no class."""


class Labels(NamedTuple):
    """Class labels against what the input has room for, over all calls of this loss so far. Labels
    equal to `ignore_index` are left out. `first` is the place of the first that does not fit, where that
    was looked for."""

    lowest: int
    highest: int
    classes: int
    first: tuple[int, ...] = ()

    @property
    def first_at(self) -> str:
        """ " (the first that does not fit at [7, 11])"."""
        at = ", ".join(map(str, self.first))
        return f" (the first that does not fit at [{at}])" if at else ""

    @property
    def verdict(self) -> str:
        """What is wrong with the labels, and which of the two mends it; nothing where they fit."""
        head = f"the model has {self.classes} outputs, for 0 to {self.classes - 1}"
        seen = f"labels run from {self.lowest} to {self.highest}"
        if self.lowest >= 0 and self.highest < self.classes:
            return ""
        if self.lowest < 0:
            marks = f"ignore_index={self.lowest} where that marks what is left out"
            known = self.highest < self.classes
            return f"{seen}, but {head}: {marks if known else 'a negative label is no class'}"
        if self.classes == self.highest == 1:
            one = "BCEWithLogitsLoss and labels.float() for one"
            return f"{seen}, but the model has one output: two for cross_entropy, or {one}"
        if self.lowest >= 1 and self.highest == self.classes:
            return f"{seen}, but {head}: subtract 1 from the labels"
        if self.highest == IGNORED:
            marks = f"ignore_index={IGNORED} where that marks what is left out"
            binary = ", or (mask > 0).long() for a mask of 0 and 255" if self.classes == 2 else ""
            return f"{seen}, but {head}: {marks}{binary}"
        return f"{seen}, but {head}: {self.highest + 1} outputs are needed, or other labels"


@moment("loss")
class LossCall(Moment):
    """One of torch's loss functions is about to be called, by itself or through its module; `failed`
    where it has raised. Shapes are those that the user gave, before anything was broadcast."""

    function: str
    failed: bool
    input_shape: tuple[int, ...]
    target_shape: tuple[int, ...]
    target_dtype: str

    @property
    def pairs(self) -> bool:
        """Whether each side was expanded along a dimension of the other: (N, 1) against (N,)."""
        given, target = self.input_shape, self.target_shape
        larger = [(a > b) - (a < b) for a, b in zip(given, target, strict=False)]
        return len(given) == len(target) and {-1, 1} <= set(larger)

    @property
    def misfit_is_range(self) -> bool:
        """Whether labels and scores fit but for a label that is no class."""
        return self.target_shape == (self.input_shape[0], *self.input_shape[2:]) and (
            self.target_dtype in ("int64", "uint8")
        )

    @property
    def fits(self) -> bool:
        """Whether there is one label for each row of scores, or one for one row."""
        return len(self.input_shape) < 2 or self.misfit_is_range

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
    def normalized_over(self) -> int | None:
        """The dimension over which a softmax or its logarithm has made the input, where no view follows."""
        over: int | None = self.ask.normalized_over()
        return over

    @cached_property
    def input_module(self) -> str:
        """The module whose output the input is, or nothing."""
        return str(self.ask.input_module())

    @cached_property
    def own_goal(self) -> str:
        """The module of whose output the input is a part, and the target is made as well, with its graph: by
        a choice among columns and arithmetic, as of the value of the next state. Nothing for others."""
        return str(self.ask.own_goal())

    @cached_property
    def target(self) -> str:
        """What the user calls the target, or nothing."""
        return str(self.ask.target())

    @cached_property
    def target_module(self) -> str:
        """The module whose output the target is and which the loss has a gradient for, where it is
        another than made the input; or nothing."""
        return str(self.ask.target_module())

    @cached_property
    def changed_places(self) -> bool:
        """Whether the target is the raw output of a module, with its graph, and the input has none."""
        raw = bool(self.target_module) and not self.ask.input_learns()
        return raw and bool(self.ask.target_is_raw())

    @cached_property
    def target_is_trained(self) -> bool:
        """Whether that module is in training mode."""
        return bool(self.ask.target_is_trained())

    @cached_property
    def target_range(self) -> tuple[float, float]:
        """Its least and greatest number; 0 and 0 where a device would have to be waited for."""
        low, high = self.ask.target_range()
        return float(low), float(high)

    @cached_property
    def classes_last(self) -> bool:
        """Whether a linear layer made the input as it is: its last dimension holds the classes."""
        return bool(self.ask.classes_last())

    @cached_property
    def labels(self) -> Labels | None:
        """None for losses without class labels, and for most batches: only some are looked at, and
        none where the labels are on a device that would have to be waited for."""
        labels: Labels | None = self.ask.labels()
        return labels


class Origin(NamedTuple):
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


@moment("not.finite")
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


@moment("labels.constant")
class ConstantLabels(Moment):
    """All class labels of a whole pass over a loader were `label`, of `classes` that the model has."""

    label: int
    count: int
    classes: int


@moment("labels.sorted")
class SortedLabels(Moment):
    """A loader that does not shuffle gave all of one class before the next, in two whole passes of `batches`
    batches. In the second a model in training got these shares right: of the `rows` in the batches in which
    their class began, each class counting alike, and of those that followed."""

    classes: int
    batches: int
    rows: int
    first: float
    later: float


@moment("bytes.overflow")
class ByteOverflow(Moment):
    """A sum, difference or product of tensors of bytes of three dimensions or more has gone round: `share`
    of its elements, of which `worst` is what one should have been. Looked at during one step."""

    sign: str
    share: float
    worst: int
