"""What a DataLoader is made of and gives."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from keng.model import Span
from keng.run.moments.base import Moment, moment


class Kept(NamedTuple):
    """What a dataset keeps in an attribute that its samples are made with; `made` is the line that
    assigns it, `items` how many there are."""

    attribute: str
    kind: str
    made: Span | None
    items: int = 0


@moment("loader.begun")
class LoaderBegun(Moment):
    """The first batch of a pass over a DataLoader of a map-style dataset. `passes` counts from 1,
    `length` is the dataset's own. `seeded` where the loader has a `worker_init_fn`; `forks` where its
    workers are forked."""

    workers: int
    passes: int
    length: int
    seeded: bool
    forks: bool

    @cached_property
    def generators(self) -> tuple[Kept, ...]:
        """Generators of random numbers that samples draw from and nobody seeds anew."""
        generators: tuple[Kept, ...] = self.ask.generators()
        return generators

    @cached_property
    def objects(self) -> tuple[Kept, ...]:
        """Lists and dictionaries of many Python objects."""
        objects: tuple[Kept, ...] = self.ask.objects()
        return objects

    @cached_property
    def rows(self) -> tuple[Kept, ...]:
        """Sequences that the dataset's index picks one item of, and nothing else is done with."""
        rows: tuple[Kept, ...] = self.ask.rows()
        return rows

    @cached_property
    def length_at(self) -> Span | None:
        """The line on which the dataset's own class returns its length."""
        place: Span | None = self.ask.length_at()
        return place

    @cached_property
    def constant_seed(self) -> Span | None:
        """The statement of the `worker_init_fn` that gives each worker the same seed for numbers which the
        dataset's file draws."""
        seed: Span | None = self.ask.constant_seed()
        return seed

    @cached_property
    def in_flight(self) -> int:
        """Bytes of the batches that workers may have ready at once in shared memory."""
        return int(self.ask.in_flight())

    @cached_property
    def shared_memory(self) -> int:
        """Bytes free there; 0 where it is not known."""
        return int(self.ask.shared_memory())


@moment("loader.repeats")
class RepeatedStream(Moment):
    """The first batches of `workers` workers on an iterable dataset were the same to the bit."""

    dataset: str
    workers: int


@moment("loader.failed")
class LoaderFailed(Moment):
    """A DataLoader raised. `samples` are the indices into the dataset and the shapes of the samples of
    the batch that did not fit together, where they are known; `killed_for_memory` counts what the kernel has
    killed on this machine since the pass began, `free` the bytes of memory left."""

    message: str
    samples: tuple[tuple[int, tuple[int, ...]], ...]

    @cached_property
    def killed_for_memory(self) -> int:
        return int(self.ask.killed_for_memory())

    @cached_property
    def free(self) -> int:
        return int(self.ask.free())


class Worker(NamedTuple):
    """`doing` is the innermost line of its Python code, where it could be asked; `idle` where it has
    used no processor time since the last look."""

    pid: int
    idle: bool
    doing: str


@moment("loader.stalled")
class StalledLoader(Moment):
    """No batch has come for `seconds`; `gives_up` where the loader's own timeout is over."""

    seconds: float
    gives_up: bool

    @cached_property
    def workers(self) -> tuple[Worker, ...]:
        workers: tuple[Worker, ...] = self.ask.workers()
        return workers


@moment("loader.starves")
class StarvedLoop(Moment):
    """Over `batches` batches the loop has waited for data for this share of its time; seconds a batch."""

    batches: int
    share: float
    waited: float
    worked: float
    workers: int
    cores: int


@moment("batch.values")
class BatchValues(Moment):
    """The smallest and the largest value of a floating-point tensor of a batch, as a loader gave it;
    only some batches are looked at. `image` where the shape is (N, 1 or 3, H, W)."""

    batch: int
    lowest: float
    highest: float
    image: bool


@moment("input.scales")
class InputScales(Moment):
    """A model was given images in training mode and in eval mode, as loaders gave them: the largest absolute
    value of a batch of each."""

    trained: float
    evaluated: float

    @cached_property
    def module(self) -> str:
        return str(self.ask.module())


@moment("input.dirty")
class DirtyInput(Moment):
    """A tensor of a batch, which holds values that are not finite, was given to a module as it is.
    `batch` counts from 1 in the pass, `sample` from 0 in the batch."""

    batch: int
    not_finite: int
    sample: int | None

    @cached_property
    def module(self) -> str:
        return str(self.ask.module())


@moment("batch.of.one")
class BatchOfOne(Moment):
    """A module in training mode gets its first batch of a loader whose last one will hold one sample."""

    samples: int
    batch_size: int

    @cached_property
    def layer(self) -> str:
        """A batch norm that will get a single value per channel then, or nothing."""
        return str(self.ask.layer())


@moment("recurrent")
class Recurrent(Moment):
    """A recurrent layer was called on a batch of a loader; `batch` is that loader's batch size."""

    layer: str
    shape: tuple[int, ...]
    batch_first: bool
    batch: int


@moment("interpolate")
class Interpolated(Moment):
    """`F.interpolate` was called on a tensor of three dimensions, of which it resizes the last; `one_sample`
    where a dataset's `__getitem__` did it."""

    shape: tuple[int, ...]
    one_sample: bool


@moment("batch.collapsed")
class CollapsedBatch(Moment):
    """A loader draws `samples` samples a batch, and all tensors of its first batches hold as many but one of
    floating-point numbers, `name` in the batch, which holds one row, another in each batch."""

    name: str
    samples: int
    shape: tuple[int, ...]


@moment("dataset.grows")
class GrownDataset(Moment):
    """A container of a dataset, in this process, holds more than the dataset has samples, and has grown in
    each of the last passes; `bytes` is what it holds, by its newest item."""

    attribute: str
    items: int
    length: int
    bytes: int


@moment("loader.empty")
class EmptyPass(Moment):
    """A pass over a DataLoader gave no batch: its sampler has `samples`, fewer than the `size` of one, and
    the rest is dropped."""

    samples: int
    size: int


@moment("sampler.weights")
class FewWeights(Moment):
    """A WeightedRandomSampler draws by `weights` weights from a dataset of `length` samples."""

    weights: int
    length: int
