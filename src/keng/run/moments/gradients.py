"""Gradients and graphs."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from keng.model import Span
from keng.run.moments.base import Moment, moment


@moment("gradients.carried")
class CarriedGradients(Moment):
    """The gradients that an optimizer has already used were still there when later ones were added
    to them, for `steps` steps in a row."""

    optimizer: str
    steps: int


@moment("gradients.kept")
class KeptGradients(Moment):
    """A tensor was moved by hand along its gradient, in a program without an optimizer, the next was added
    to that, and it was moved along the sum: `steps` times in a row. `name` may be empty."""

    name: str
    steps: int


class Idle(NamedTuple):
    """A parameter whose gradient has been exactly zero, not None, at each of `steps` steps, and
    which has moved all the same."""

    name: str
    steps: int
    norm_before: float
    norm_now: float
    weight_decay: float
    momentum: float


@moment("parameters.idle")
class IdleParameters(Moment):
    optimizer: str
    parameters: tuple[Idle, ...]


class Holder(NamedTuple):
    """What keeps graphs alive: the variable, list or attribute as the user names it, and the line
    that puts them there. `bounded` where it is of a fixed length."""

    name: str
    where: Span | None
    bounded: bool


@moment("graphs.held")
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
