"""The order of a training step: modes, scale, clipping, accumulation, schedule."""

from __future__ import annotations

from functools import cached_property

from keng.model import Span
from keng.run.moments.base import Moment, moment


@moment("trained.in.eval")
class TrainedInEval(Moment):
    """An optimizer has stepped `steps` times in a row on a module in eval mode that was trained in
    training mode before."""

    module: str
    steps: int

    @cached_property
    def mode_layers(self) -> tuple[str, ...]:
        """Layers that work otherwise in training."""
        layers: tuple[str, ...] = self.ask.mode_layers()
        return layers


@moment("gradients.off")
class GradientsOff(Moment):
    """A backward has failed since gradients are switched off where it runs."""

    @cached_property
    def switch(self) -> Span | None:
        """The statement `torch.set_grad_enabled(False)` in a file of the user's, where there is one."""
        switch: Span | None = self.ask.switch()
        return switch


@moment("gradients.clipped")
class ClippedGradients(Moment):
    """`clip_grad_norm_` was called. `scaled` where a GradScaler's scale is still on the gradients,
    `spent` where an optimizer has already used them."""

    max_norm: float
    scaled: bool
    spent: bool


@moment("clipping.constant")
class ConstantClipping(Moment):
    """Gradients were clipped at `steps` steps, to a norm of `bound` at most; the least of their norms was
    `least`. `kind` is the class of the optimizer."""

    kind: str
    steps: int
    bound: float
    least: float

    @cached_property
    def optimizer(self) -> str:
        return str(self.ask.name())

    @cached_property
    def moves(self) -> float:
        """How far gradient descent with its momentum goes in a step at most, against the norm of the
        weights."""
        return float(self.ask.moves())


@moment("step.scaled")
class ScaledStep(Moment):
    """An optimizer steps by itself with gradients that a GradScaler's scale is still on."""

    optimizer: str


@moment("loss.scale")
class LossScale(Moment):
    """A GradScaler has taken its scale back `times` times without once growing."""

    scale: float
    times: int


@moment("gradients.accumulated")
class AccumulatedGradients(Moment):
    """A step on the gradients of `rounds` batches of a loader, each of a mean loss as it came, added up
    and not divided; twice in a row by now. `normalizes` where the optimizer divides by the size of the
    gradients, as Adam does."""

    optimizer: str
    rounds: int
    normalizes: bool


@moment("rate.vanished")
class VanishedRate(Moment):
    """An optimizer has taken `steps` steps at a learning rate that its scheduler has made next to
    nothing, or the user has, where `scheduler` is empty."""

    optimizer: str
    scheduler: str
    rate: float
    initial: float
    steps: int
    where: Span | None
    """Where it was done."""


@moment("schedule.unfinished")
class UnfinishedSchedule(Moment):
    """At the end of the program a scheduler has taken `taken` of the `planned` steps that it was made for,
    and the program's only optimizer as many as were planned."""

    scheduler: str
    planned: int
    taken: int
    where: Span | None
    """Where it was stepped first."""


@moment("schedule.hurried")
class HurriedSchedule(Moment):
    """At the end of the program a cosine that was `planned` for as many steps as there were epochs has
    `taken` a step with each of the optimizer's."""

    planned: int
    taken: int


@moment("schedule.idle")
class IdleSchedule(Moment):
    """A scheduler of a `kind`, called `scheduler`, was made, and nothing has stepped it in so many
    `epochs`."""

    scheduler: str
    kind: str
    epochs: int


@moment("autocast.idle")
class IdleAutocast(Moment):
    """A module has run under autocast, and of its graph, with `products` matrix products of its own, nothing
    was computed in `dtype`."""

    module: str
    dtype: str
    products: int
