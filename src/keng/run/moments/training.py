"""What training does to gradients, statistics and losses over the steps."""

from __future__ import annotations

from functools import cached_property

from keng.model import Span
from keng.run.moments.base import Moment, moment


@moment("gradients.norms")
class GradientNorms(Moment):
    """Norms of the gradients that an optimizer is about to use; looked at in the first steps and then
    now and then.

    `usual` is the median of the first looks, `rising` counts the looks in a row at which `total` has
    grown. `dead` are matrices whose gradient was exactly zero at each of the last looks while others'
    was not; `faint` one whose gradient, against its own norm, is `ratio` of the strongest one's.
    """

    optimizer: str
    total: float
    usual: float
    rising: int
    dead: tuple[str, ...]
    faint: str
    strong: str
    ratio: float


@moment("statistics.moved")
class MovedStatistics(Moment):
    """Batch norms whose parameters are frozen have updated their running statistics in a forward that
    trains the rest of the module."""

    module: str
    layers: tuple[str, ...]


@moment("gradients.leaked")
class LeakedGradients(Moment):
    """`times` in a row a backward for `trained` went on through `behind`, whose output it was given, and
    nothing has used the gradients there. `learns` where an optimizer has stepped on `behind` in this run."""

    behind: str
    trained: str
    times: int
    learns: bool


@moment("graph.retained")
class RetainedGraph(Moment):
    """`retain_graph=True` has kept `times` graphs at one line, and no later backward met any of them."""

    times: int


@moment("graph.cut")
class CutGraph(Moment):
    """A forward has made a plain number or array of a value that depends on `parameters`, and after the
    backward these have no gradient."""

    operation: str
    parameters: tuple[str, ...]
    where: Span | None


@moment("items.gathered")
class GatheredItems(Moment):
    """`name` has got something at every step that was looked at and was never emptied, from the beginning
    and through `passes` passes over loaders, where there are any. Its tensors and arrays keep about
    `bytes` alive."""

    name: str
    items: int
    bytes: int
    passes: int

    @cached_property
    def used(self) -> bool:
        """Whether the program's text does more with it than to put things in."""
        return bool(self.ask.used())


@moment("loss.rose")
class RisenLoss(Moment):
    """Within the first `steps` steps after weights were loaded the loss rose from `before` to `now`, at a
    learning rate that has been the same from the first step on."""

    before: float
    now: float
    rate: float
    steps: int


@moment("random.unseeded")
class UnseededDraw(Moment):
    """The user's code has drawn from a generator (`random`, `numpy.random`) that was not seeded, in a
    program that has seeded torch."""

    home: str
    function: str


@moment("index.bytes")
class ByteIndex(Moment):
    """A tensor of bytes was used as a mask; `highest` of its values is above 1 where it was inverted."""

    highest: int


@moment("least.squares")
class LeastSquares(Moment):
    """`torch.linalg.lstsq` was called with a driver that takes full rank for granted."""

    driver: str
    rank: int
    columns: int


@moment("lock.waited")
class WaitedLock(Moment):
    """A build of an extension waits for a file. `held` where a living process has it open."""

    path: str
    age: float
    held: bool


@moment("cudnn.search")
class CudnnSearch(Moment):
    """`torch.backends.cudnn.benchmark` is on; `shapes` of inputs has a module seen by now."""

    deterministic: bool
    shapes: int
    on_cuda: bool


@moment("device.reads")
class DeviceReads(Moment):
    """One line has read `reads` values from a GPU within one step."""

    reads: int


@moment("device.copy")
class DeviceCopy(Moment):
    """A tensor is copied to a GPU with `non_blocking=True`, out of memory that is not pinned."""

    bytes: int


@moment("state.of.others")
class StateOfOthers(Moment):
    """A recurrent layer that learns has begun `batches` batches in a row with the state that it left in the
    one before, while their loader draws rows at random."""

    batches: int

    @cached_property
    def layer(self) -> str:
        return str(self.ask.layer())
