"""Which parameters are trained, and which are not."""

from __future__ import annotations

from dataclasses import dataclass

from keng.model import Span
from keng.moments.base import Moment, moment


@dataclass(frozen=True, slots=True)
class Unmoved:
    """A parameter that gets gradients, is in no optimizer, and has not moved.

    `container` is the list, dictionary or attribute in which the module does not see it, and `made` the
    line that fills that; nothing where it is registered. `partly` where other parameters of the same
    model are in an optimizer.
    """

    name: str
    container: str = ""
    made: Span | None = None
    partly: bool = True


@moment("parameters.unmoved")
@dataclass(frozen=True)
class UnmovedParameters(Moment):
    """`stale` counts parameters that `optimizer` holds, that no module has and that get no gradient: a
    layer has been replaced. `registered` and `hidden` are the two kinds of `parameters`."""

    optimizer: str
    parameters: tuple[Unmoved, ...]
    stale: int

    @property
    def registered(self) -> tuple[Unmoved, ...]:
        return tuple(p for p in self.parameters if not p.container)

    @property
    def hidden(self) -> tuple[Unmoved, ...]:
        return tuple(p for p in self.parameters if p.container)


@moment("optimizer.idle")
@dataclass(frozen=True)
class IdleOptimizer(Moment):
    """An optimizer has taken `steps` steps and none of its parameters has ever had a gradient, while
    others got some."""

    optimizer: str
    steps: int
    count: int
