"""Which parameters are trained, and which are not."""

from __future__ import annotations

from typing import NamedTuple

from keng.model import Span
from keng.run.moments.base import Moment, moment


class Unmoved(NamedTuple):
    """A parameter that gets gradients, is in no optimizer, and has not moved.

    `container` is the list, dictionary or attribute in which the module does not see it, and `made` the
    line that fills that; nothing where it is registered. `partly` where other parameters of the same
    model are in an optimizer, or it is a loss with parameters of its own; `plain` where it is a tensor
    that is no Parameter.
    """

    name: str
    container: str = ""
    made: Span | None = None
    partly: bool = True
    plain: bool = False


@moment("parameters.unmoved")
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


@moment("parameters.shaded")
class ShadedParameters(Moment):
    """`optimizer` holds `count` matrices, the `parameters` that have a name, that were drawn at random and
    get no gradient: they run where none is recorded, and what they make goes into layers that learn."""

    optimizer: str
    parameters: tuple[str, ...]
    count: int


@moment("optimizer.idle")
class IdleOptimizer(Moment):
    """An optimizer has taken `steps` steps and none of its parameters has ever had a gradient, while
    others got some."""

    optimizer: str
    steps: int
    count: int


@moment("optimizer.unreached")
class UnreachedOptimizer(Moment):
    """An optimizer has taken `steps` steps, there was a backward before each, and neither its `count`
    parameters nor those of a module that was called has ever had a gradient."""

    optimizer: str
    steps: int
    count: int


@moment("gradients.cleared")
class ClearedGradients(Moment):
    """An optimizer has taken `steps` steps, and after each but the last what it holds got gradients, which
    were cleared before the next."""

    optimizer: str
    steps: int


@moment("gradients.dropped")
class DroppedGradients(Moment):
    """Before each of `steps` steps of an optimizer, what a backward gave it was cleared unused, in `rounds`
    backwards a step, and then came another backward."""

    optimizer: str
    steps: int
    rounds: int


@moment("step.untaken")
class UntakenStep(Moment):
    """Over `steps` steps of an optimizer at a rate above zero, nothing that it holds has moved, though there
    were gradients that are not zero."""

    optimizer: str
    steps: int


@moment("copy.still")
class StillCopy(Moment):
    """`module` began as a copy of `of`, which has moved in `steps` steps, while of the copy nothing has,
    though it was written to `writes` times; with none, its name says that it is to follow, and nothing in the
    program could make it."""

    module: str
    of: str
    writes: int
    steps: int


@moment("train.uncalled")
class UncalledTrain(Moment):
    """A module is trained whose class overrides `train()`, and nobody has called that: it would freeze
    `frozen` parameters that learn, the first of which is `first`, and put `modes` layers into eval mode."""

    module: str
    owner: str
    frozen: int
    first: str
    modes: int


@moment("output.frozen")
class FrozenOutput(Moment):
    """The layer that makes a trained module's output is frozen, and its weights are the random ones that
    its constructor has drawn: none were loaded, and no step has ever changed them."""

    module: str
    layer: str


@moment("weights.again")
class DrawnAgain(Moment):
    """One line has drawn the first values of `count` parameters, of which `first` is one, up to `times`
    times, reached by as many ways through the program, before the first step."""

    function: str
    count: int
    first: str
    times: int


@moment("attribute.stray")
class StrayAttribute(Moment):
    """Something of torch's has an attribute that torch does not know, set by a line of the user's whose files
    read it nowhere. `thing` is a `kind`: a parameter or an optimizer."""

    kind: str
    thing: str
    attribute: str
