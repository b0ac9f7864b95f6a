"""What ranks tell of their models, batches and files, side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from os.path import basename
from statistics import geometric_mean
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, TypeVar
from zlib import crc32

from keng._util.record import Record
from keng._util.texts import sentence
from keng.model import Fix, Hit, Span, Value
from keng.ranks.calls import Mixed, Named, Parting, Stall, mixed, unlike
from keng.ranks.manual_averaging import ByHand, Reduction, ties

T = TypeVar("T")
Digests = Literal["parameters", "gradients", "buffers", "statistics", "states"]
FOLLOWING: tuple[Digests, ...] = ("gradients", "parameters")
"""Where ranks differ in the first, they differ in the second."""


class Replica(NamedTuple):
    """A model in DistributedDataParallel, or sharded by FSDP2, as one rank has it.

    `parameters`, `gradients` and `buffers` are digests by name: of all that must agree between ranks, of
    the gradients as the optimizer took them, and of the buffers that have not changed since they were
    last checked. A shard's name says which it is, for the ranks that hold the same. `stepped` is the
    line of its optimizer's step. `unused` are parameters without a gradient at a step that counted on
    one. `states` are digests of what the optimizer keeps of each parameter before the step. `statistics`
    are digests of buffers that each forward moves; with `broadcasts` the next one begins with those of
    the first rank. `normed` are batch norm layers in training that see this rank's `samples`
    alone. `past` is the line that called the module inside past its wrapper, `hooked` that which registered
    the hook of a backward pass in which the optimizer steps, and `taken` the one that took the gradients by
    `torch.autograd.grad` where no backward pass has been since.
    """

    name: str
    where: Span | None
    device: str = "cpu"
    parameters: Mapping[str, int] = {}
    gradients: Mapping[str, int] = {}
    buffers: Mapping[str, int] = {}
    stepped: Span | None = None
    unused: tuple[str, ...] = ()
    states: Mapping[str, int] = {}
    statistics: Mapping[str, int] = {}
    broadcasts: bool = False
    normed: tuple[str, ...] = ()
    samples: int = 0
    past: Span | None = None
    hooked: Span | None = None
    taken: Span | None = None


class Fed(NamedTuple):
    """A batch that was trained on: its digest, its samples, the line that took it."""

    digest: int
    size: int
    where: Span | None


class Pass(NamedTuple):
    """Passes in a row over a DistributedSampler that were trained on and had the same epoch set."""

    passes: int
    epoch: int
    where: Span | None


class Shuffled(NamedTuple):
    """The so many-th pass over a loader's data, all of it and in an order of the rank's own: how many
    samples there are, and digests of some that were trained on."""

    number: int
    size: int
    rows: tuple[int, ...]
    where: Span | None


class FedRows(NamedTuple):
    """Digests of the samples that a rank's model was fed in the first pass, or of those of them in the first
    1 / `part` of the hashes. `members` are the ranks that train the model together; `together` are
    groups of some of them in which the rank has made collectives."""

    rows: tuple[int, ...]
    part: int
    where: Span | None
    members: tuple[int, ...]
    together: tuple[tuple[int, ...], ...] = ()

    def within(self, part: int) -> frozenset[int]:
        """Those in the first 1 / `part` of the hashes."""
        if part == self.part:
            return frozenset(self.rows)
        return frozenset(row for row in self.rows if hashed(row) * part < HASHES)


HASHES = 1 << 32


def hashed(row: int) -> int:
    """Where a digest lies in the range of hashes."""
    return crc32(row.to_bytes(8, "little", signed=True))


class SharedRows(NamedTuple):
    """Samples that two ranks were fed both, of those that were compared."""

    ranks: tuple[int, int]
    rows: int
    of: int
    where: Span | None


class Content(NamedTuple):
    """Of a data set of `size` samples that a DistributedSampler divides: digests of some of what it holds for
    each sample, at places that are the same on every rank, by the attribute. `divided` where the program
    takes parts of something by the rank: else it may differ by chance, as random numbers do."""

    size: int
    rows: Mapping[str, tuple[int, ...]]
    where: Span | None
    divided: bool = False


class Split(NamedTuple):
    """A part of a data set of `size` rows: some of its `rows`, the same ones on every rank where they have
    them, and whether it is trained on."""

    size: int
    rows: frozenset[int]
    where: Span | None
    trained: bool = False


class Padded(NamedTuple):
    """A data set of `size` samples that is evaluated, of which a DistributedSampler repeats `repeated`, and
    the loop that counts them."""

    size: int
    repeated: int
    where: Span | None


class Joined(NamedTuple):
    """Predictions for the `size` samples of a data set, which `ranks` ranks had in turn, joined by rank."""

    size: int
    ranks: int
    where: Span | None


class Share(NamedTuple):
    """An evaluation of `own` of the `size` samples of a data set, after which no collective was made."""

    size: int
    own: int
    where: Span | None


class Order(NamedTuple):
    """Names in a list, or numbered by a dict (`kind`): digests of the names, of the numbers, and of which
    name has which number. Of names that a dict numbers without a gap, `some` are the digests and numbers of
    those whose digests are the least."""

    kind: str
    size: int
    members: int
    numbers: int
    order: int
    where: Span | None
    some: tuple[tuple[int, int], ...] = ()


class Leak(NamedTuple):
    """Rows that one rank trains on and another evaluates on: how many of those that were compared."""

    trains: int
    evaluates: int
    rows: int
    of: int
    where: Span | None


class File(NamedTuple):
    """A file that was saved. `identity` is the same for the same file seen from several machines. `shards`
    are the tensors in it of which it holds this rank's part only, and `parts` is how many there are of
    each."""

    path: str
    identity: Hashable
    where: Span | None
    shards: int = 0
    parts: int = 1

    @property
    def name(self) -> str:
        return basename(self.path)


class Restored(NamedTuple):
    """A checkpoint that was read to `device` while this rank's own was `own`."""

    device: str
    own: str
    where: Span | None


class Total(NamedTuple):
    """What a rank gave to the sums over the ranks of one tensor, one after the other, in all its elements."""

    given: tuple[float, ...]
    text: str
    where: Span | None


class Scaled(NamedTuple):
    """The shards of the gradients that one rank holds of a model, after backward and as the optimizer takes
    them: the sums of their absolute values and of their squares. `shards` says which of the shards they are:
    ranks with the same hold copies. `numbers` are the variables that hold a number where the optimizer
    steps."""

    size: float
    squares: float
    taken_size: float
    taken_squares: float
    where: Span | None
    shards: tuple[int, ...] = ()
    numbers: Mapping[str, float] = {}

    @property
    def named(self) -> str:
        """The variable that holds the norm of these shards."""
        return self.holds(self.squares)

    def holds(self, squares: float) -> str:
        """The variable that holds the root of such a sum."""
        norm = squares**0.5
        names = (name for name, value in self.numbers.items() if abs(value - norm) <= 1e-5 * norm)
        return next(names, "") if norm > 0 else ""

    @property
    def factor(self) -> float | None:
        """By which all of them were multiplied; None where it was not one factor for all."""
        if not (0 < self.size < float("inf") and 0 < self.squares < float("inf")):
            return None
        factor = self.taken_size / self.size
        other = (self.taken_squares / self.squares) ** 0.5
        return factor if abs(factor - other) <= 1e-3 * factor else None


class Copy(NamedTuple):
    """A tensor that a rank has declared to be the same on several: the sum of its numbers, half of them with
    the other sign, the root of the sum of their squares, and its shape."""

    total: float
    size: float
    shape: tuple[int, ...]
    where: Span


class Returned(NamedTuple):
    """A model whose weights at the end are those after `step` steps of those taken, and the line
    that evaluated it then."""

    step: int
    of: int
    where: Span | None
    sharded: bool = False


class Recomputed(NamedTuple):
    """A model whose batch norms have been given statistics of some batches alone: digests of these and of its
    weights, when it was evaluated next."""

    statistics: int
    weights: int
    where: Span | None


class Hurried(NamedTuple):
    """A learning rate that was 0 after `ends` of `steps` steps, by a schedule with a step for each rank."""

    ends: int
    steps: int
    where: Span | None


class SplitLoss(NamedTuple):
    """A loss that is computed from sums over the ranks, and a digest of the inputs of the model."""

    fed: int
    value: float
    where: Span | None


class Choice(NamedTuple):
    """A loss that chooses for each of `rows` rows one of the candidates of all ranks, the one of the same
    number: what stands for the rows, and for the candidates, in their order."""

    asks: float
    offers: float
    rows: int
    where: Span | None


class SummedBias(NamedTuple):
    """A bias that a rank adds to its part of an output before the parts are summed: digests of it and of the
    weight of its layer."""

    name: str
    bias: int
    weight: int
    where: Span | None


class Weighed(NamedTuple):
    """A loss that is a sum or a mean over some targets of one rank: how much one of them counts."""

    weight: float
    targets: int
    where: Span | None


class Held(NamedTuple):
    """Bytes that a rank holds of a card. `device` is its name for the rank, `card` the same for one card
    whatever ranks call it; it begins with the machine."""

    device: str
    card: Hashable
    size: int


class Pace(NamedTuple):
    """So many steps of one rank: the seconds they took, and how many of these it waited for its loader
    (`data`) and in collectives (`waited`). `cpu` are the seconds of processors, of all its threads, and
    `queued` those in which its program waited for one. `loads` is the line that takes batches, `stepped` that
    of the optimizer's step. `busy` is how often the lines of the loop around it were seen to run, of `seen`
    looks at which the rank did not wait for others. `early` is one of the short parts at the beginning of a
    run."""

    rank: int
    steps: int
    seconds: float
    data: float
    waited: float
    loads: Span | None = None
    stepped: Span | None = None
    busy: Mapping[Span, int] = {}
    seen: int = 0
    early: bool = False
    cpu: float = 0.0
    queued: float = 0.0

    @property
    def own(self) -> float:
        """The share of the step that is no waiting for others."""
        return 1 - self.waited / self.seconds if self.seconds else 0.0

    @property
    def loading(self) -> float:
        return self.data / self.seconds if self.seconds else 0.0

    @property
    def computing(self) -> float:
        return self.cpu / self.seconds if self.seconds else 0.0

    @property
    def queuing(self) -> float:
        return self.queued / self.seconds if self.seconds else 0.0


class PaceSummary(NamedTuple):
    """Of a group of ranks: the last parts of the slowest, and how many others there are. Of these the medians
    of the shares of a step: of their means over the parts, by what the step is spent on, and of their
    largest. `busy` are the largest shares of the lines of the loop that the others run."""

    slowest: tuple[Pace, ...]
    others: int
    means: Mapping[str, float]
    most: Mapping[str, float]
    busy: Mapping[Span, float] = {}
    early: bool = False


class Slow(NamedTuple):
    """A rank that others wait for in every part of the window. `own` and `others` are the shares of a step
    that it and, by the median, the others work; `data` and `others_data` those that they load, `cpu` and
    `others_cpu` those that their processors work, `queued` and `others_queued` those in which they wait for
    a processor. `line` is the line of the loop that it runs more often than the others."""

    pace: Pace
    node: str
    own: float
    others: float
    data: float
    others_data: float
    line: Span | None = None
    cpu: float = 0.0
    others_cpu: float = 0.0
    queued: float = 0.0
    others_queued: float = 0.0

    @property
    def delay(self) -> float:
        return self.own - self.others

    @property
    def loads(self) -> bool:
        """Whether it is its loader that takes longer, rather than its computation."""
        return self.data - self.others_data > self.delay / 2

    @property
    def is_blocked(self) -> bool:
        """Whether it neither loads nor computes longer, nor waits for a processor, but for something else."""
        busy = self.cpu - self.others_cpu + self.queued - self.others_queued
        return not self.loads and busy < self.delay / 4

    @property
    def is_crowded(self) -> bool:
        """Whether it waits for a processor, which other processes of its machine use."""
        return not self.loads and self.queued - self.others_queued > self.delay / 2


class Told(NamedTuple):
    """What one rank tells after a step. `moment` is the same for all ranks that tell of one step, whatever
    they count. `where` is the line that called the model. `card` is the one
    that it trains on, of `cards` in its sight; `others` those that it holds memory of too. `drawn` are
    digests of the random states at the last steps checked, by generator, where they moved in each;
    `batches` those of the same steps. `saved` and `restored` are from the beginning of the run.
    `named` are the last collectives that the program called from Python. `backwards` are those so far,
    `stepped` the line of the last step, `divided` that of a backward from a loss that was divided by the
    number of ranks; `trained` are digests of all parameters of the models, at the end.
    `shadows` are those of models that the program calls and does not train, with the sizes of their
    parameters; `sizes` are those of the models that it trains.
    `totals` are small tensors that it has summed over the ranks again and again, by their lines.
    `shard_updates` are the lines at which optimizers of the program, by their classes, compute the update of
    a matrix from a shard.
    `weighed`, `choices` and `split_losses` are the losses of the last steps checked. `returned`,
    `recomputed` and `hurried` are told at the end. `resumed` is the line that has last restored an
    optimizer.
    `orders` are by the name of a variable, `copies` by their number among those of a line in the step and by
    the ranks that are to have the same. `peers` are the ranks that it has sent messages to, and received
    some from. `counts_ranks` where the program calculates with the number of
    ranks, `adds_up` where it sums what may be losses."""

    rank: int
    step: int
    moment: tuple[int, int] = (0, 0)
    where: Span | None = None
    local_rank: int = 0
    node: str = ""
    replicas: tuple[Replica, ...] = ()
    by_hand: tuple[ByHand, ...] = ()
    settings: Mapping[str, Value] = {}
    batches: tuple[Fed, ...] = ()
    drawn: Mapping[str, tuple[int, ...]] = {}
    passes: tuple[Pass, ...] = ()
    shuffled: Shuffled | None = None
    saved: tuple[File, ...] = ()
    restored: tuple[Restored, ...] = ()
    card: Held | None = None
    cards: int = 0
    others: tuple[Held, ...] = ()
    named: tuple[Named, ...] = ()
    backwards: int = 0
    stepped: Span | None = None
    divided: Span | None = None
    trained: Mapping[str, int] = {}
    shadows: Mapping[str, tuple[int, tuple[int, ...]]] = {}
    sizes: frozenset[tuple[int, ...]] = frozenset()
    splits: tuple[Split, ...] = ()
    padded: tuple[Padded, ...] = ()
    joined: tuple[Joined, ...] = ()
    shares: tuple[Share, ...] = ()
    contents: tuple[Content, ...] = ()
    fed_rows: FedRows | None = None
    peers: tuple[int, ...] = ()
    totals: Mapping[str, Total] = {}
    scaled: Mapping[str, Scaled] = {}
    shard_updates: Mapping[str, Span] = {}
    orders: Mapping[str, Order] = {}
    copies: Mapping[tuple[int, tuple[int, ...], Span], Copy] = {}
    weighed: tuple[Weighed, ...] = ()
    split_losses: tuple[SplitLoss, ...] = ()
    choices: tuple[Choice, ...] = ()
    summed_biases: tuple[SummedBias, ...] = ()
    returned: Mapping[str, Returned] = {}
    recomputed: Mapping[str, Recomputed] = {}
    hurried: Hurried | None = None
    resumed: Span | None = None
    counts_ranks: bool = True
    adds_up: bool = True


class Tie(NamedTuple):
    """One parameter that two ranks hold, by its names there."""

    one: int
    name: str
    two: int
    other: str
    where: Span | None


class Numbered(NamedTuple):
    """Names that two ranks both number, of which some have different numbers."""

    name: str
    ranks: tuple[int, int]
    common: int
    differ: int
    where: Span | None


class Miscopied(NamedTuple):
    """A tensor that is not the same on ranks where it was declared so: `others` do not have what most do."""

    copy: Copy
    others: tuple[int, ...]


class Misfed(NamedTuple):
    """Two stages of one pipeline that take the same samples, of which these are so many, in other batches."""

    ranks: tuple[int, int]
    rows: int
    where: Span | None


class Difference(NamedTuple):
    """A thing of one name that is not the same on all ranks, and the step at which that was first
    seen. `others` are the ranks that do not have what most have; `values` are those of all."""

    name: str
    since: int
    others: tuple[int, ...]
    values: Mapping[int, Any] = {}


class Ranks(Record):
    """What the ranks have reported: of one step where `told` holds all of them, of a stall, of a parting, or
    of a slow rank. `noted` remembers, from one comparison to the next, the step at which each difference
    was first seen. Of a large job `some` ranks only report one step."""

    world: int
    told: Mapping[int, Told] = MappingProxyType({})
    parting: Parting | None = None
    stall: Stall | None = None
    slow: Slow | None = None
    noted: dict[tuple[str, str], int] | None = None
    some: int = 0

    @property
    def is_complete(self) -> bool:
        """Whether all ranks have reported that were to, and several."""
        return len(self.told) == (self.some or self.world) > 1

    @property
    def has_all(self) -> bool:
        """Whether every rank of the job has reported."""
        return len(self.told) == self.world

    @cached_property
    def since(self) -> dict[tuple[str, str], int]:
        return {} if self.noted is None else self.noted

    @cached_property
    def first(self) -> Told | None:
        return self.told[min(self.told)] if self.told else None

    @cached_property
    def replicated(self) -> tuple[Replica, ...]:
        """The models that every rank has reported, as the first rank has them."""
        if self.first is None or not self.is_complete:
            return ()
        least = min(len(told.replicas) for told in self.told.values())
        return self.first.replicas[:least]

    def of(self, replica: Replica) -> dict[int, Replica]:
        """The same model on each rank."""
        at = self.replicated.index(replica)
        return {rank: told.replicas[at] for rank, told in self.told.items()}

    def reductions(self) -> Iterator[Reduction]:
        """The models without a wrapper that every rank has reported."""
        every = [told.by_hand for told in self.told.values()]
        if self.is_complete:
            for models in zip(*every, strict=False):
                # One that a rank alone has trained puts those after it out of line.
                if len({model.name for model in models}) == 1:
                    yield Reduction(dict(zip(self.told, models, strict=True)))

    @property
    def trains_together(self) -> bool:
        """Whether the ranks train one model, in a wrapper or by hand: at the end they have one alike."""
        if self.replicated or any(each.called for each in self.reductions()):
            return True
        return self.first is not None and any(
            all(told.trained.get(name) == digest for told in self.told.values())
            for name, digest in self.first.trained.items()
        )

    def shadows_differing(self) -> Iterator[Difference]:
        """At the end, copies of the model that all ranks train, which are not the same on all ranks though
        these have the model itself alike, after as many steps."""
        if self.first is None or not self.has_all or not self._has_one_model():
            return
        by_rank = {
            rank: {n: digest for n, (digest, sizes) in told.shadows.items() if sizes in told.sizes}
            for rank, told in self.told.items()
        }
        for each in self._differing("shadow", by_rank):
            if len(each.values) == len(self.told):
                yield each

    def _has_one_model(self) -> bool:
        steps = {told.step for told in self.told.values()}
        trained = [tuple(told.trained.items()) for told in self.told.values()]
        return len(steps) == 1 and bool(trained[0]) and len(set(trained)) == 1

    def held(self, rank: int, name: str) -> ByHand | None:
        """The model without a wrapper that has a parameter of this name on this rank."""
        models = self.told[rank].by_hand if rank in self.told else ()
        return next((model for model in models if name in model.gradients), None)

    def stages_misfed(self) -> Iterator[Misfed]:
        """Ranks that send each other messages, hold different parts of a model, and each shuffle the same
        data: the batch of one is not that of the other."""
        for one, told in self.told.items():
            for two in told.peers:
                if one < two and two in self.told and self._are_stages(one, two):
                    mine, theirs = told.shuffled, self.told[two].shuffled
                    if mine is None or theirs is None or mine.number != theirs.number:
                        continue
                    both = set(mine.rows) & set(theirs.rows)
                    if (
                        mine.size == theirs.size
                        and len(both) >= LEAST_ROWS
                        and _are_others(mine.rows, theirs.rows)
                    ):
                        yield Misfed((one, two), len(both), mine.where)

    def _are_stages(self, one: int, two: int) -> bool:
        """Whether the models of two ranks differ in their parameters: ranks that average have the same."""
        sizes = [
            [tuple(g.numbers for g in model.gradients.values()) for model in self.told[r].by_hand]
            for r in (one, two)
        ]
        return all(sizes) and sizes[0] != sizes[1]

    def tied(self) -> Iterator[Tie]:
        """Parameters of two ranks that hold the same numbers and are used by different operations, as an
        embedding in the first stage of a pipeline and its projection in the last."""
        every = [(rank, model) for rank, told in self.told.items() for model in told.by_hand]
        for at, (one, first) in enumerate(every):
            for two, second in every[at + 1 :]:
                if one != two:
                    yield from (Tie(one, a, two, b, first.where) for a, b in ties(first, second))

    def leaks(self) -> Iterator[Leak]:
        """Between ranks, of parts that have no row in common on any one of them."""
        for told in self.told.values():
            for own in told.splits:
                if own.trained and not any(own.rows & each.rows for each in _evaluated(told, own)):
                    yield from self._leaks_of(told.rank, own)

    def _leaks_of(self, rank: int, own: Split) -> Iterator[Leak]:
        for told in self.told.values():
            for other in _evaluated(told, own) if told.rank != rank else ():
                both = own.rows & other.rows
                if both:
                    yield Leak(rank, told.rank, len(both), len(other.rows), other.where)

    def contents_differing(self) -> Iterator[tuple[Content, str]]:
        """Data sets that a DistributedSampler divides, and that do not hold the same samples on all ranks,
        with the attribute that holds them."""
        every = [told.contents for told in self.told.values()]
        if not self.is_complete:
            return
        for contents in zip(*every, strict=False):
            first, *others = contents
            for name, rows in first.rows.items():
                given = [other.rows.get(name, ()) for other in others]
                if any(_are_others(rows, other) for other in given):
                    yield first, name
                    break

    def shared_rows(self) -> Iterator[SharedRows]:
        """Pairs of ranks that train one model and were fed the same samples: each rank with one before it.
        Each sample is kept for the first rank that has it, so that a thousand ranks are compared as well."""
        fed = {rank: told.fed_rows for rank, told in self.told.items() if told.fed_rows}
        part = max((each.part for each in fed.values()), default=1)
        kept = {rank: each.within(part) for rank, each in fed.items()}
        owners: dict[int, int] = {}
        for two, rows in kept.items():
            both = Counter(owners.setdefault(row, two) for row in rows)
            both.pop(two, None)
            for one, count in both.most_common():
                if _divide_work(one, two, fed[one]):
                    of = min(len(kept[one]), len(rows))
                    yield SharedRows((one, two), count, of, fed[one].where)
                    break

    def scaled_apart(self) -> Iterator[tuple[str, dict[int, float], Scaled]]:
        """The sharded models whose gradients the ranks have multiplied by other factors, with these."""
        if self.first is None or not self.is_complete:
            return
        for name, own in self.first.scaled.items():
            each = {rank: told.scaled.get(name) for rank, told in self.told.items()}
            factors = {rank: scaled.factor for rank, scaled in each.items() if scaled}
            known = {rank: factor for rank, factor in factors.items() if factor}
            if len(known) == len(self.told) and max(known.values()) > APART * min(known.values()):
                yield name, known, own

    def norms_of_shards(self) -> Iterator[tuple[str, str, Scaled]]:
        """The sharded models whose program keeps the norm of each rank's shards, and the variable's name."""
        if self.first is None or not self.is_complete:
            return
        for name, own in self.first.scaled.items():
            each = [told.scaled.get(name) for told in self.told.values()]
            norms = {scaled.squares for scaled in each if scaled and scaled.named == own.named}
            if own.named and len(norms) == len(self.told):
                yield name, own.named, own

    def norms_of_copies(self) -> Iterator[tuple[str, str, int, Scaled]]:
        """The sharded models whose program keeps a norm over all ranks although several hold the same shards,
        with the variable's name and how many hold each."""
        if self.first is None or not self.has_all:
            return
        for name, own in self.first.scaled.items():
            every = [told.scaled[name] for told in self.told.values() if name in told.scaled]
            shards = {each.shards: each.squares for each in every}
            if len(every) < self.world or len(shards) in (1, len(every)):
                continue
            together = sum(each.squares for each in every)
            named = own.holds(together)
            if named and not own.holds(sum(shards.values())):
                yield name, named, len(every) // len(shards), own

    def returned_apart(self) -> Iterator[tuple[str, dict[int, Returned]]]:
        """Models that all ranks train, and whose weights at the end are of other steps on some ranks."""
        for name, each in self._of_all(lambda told: told.returned).items():
            several = len({state.step for state in each.values()}) > 1
            # One rank alone may test the best weights where each has all of them.
            if several and all(s.sharded or s.step < s.of for s in each.values()):
                yield name, each

    def recomputed_apart(self) -> Iterator[tuple[str, Recomputed]]:
        """Models of the same weights on all ranks, each with statistics that a rank has computed."""
        for name, each in self._of_all(lambda told: told.recomputed).items():
            weights = {state.weights for state in each.values()}
            if len(weights) == 1 and len({state.statistics for state in each.values()}) > 1:
                yield name, each[min(each)]

    def _of_all(self, values: Callable[[Told], Mapping[str, T]]) -> dict[str, dict[int, T]]:
        """What every rank tells, by name and rank."""
        if not self.has_all or self.world < 2:
            return {}
        told = {rank: values(each) for rank, each in self.told.items()}
        names = set.intersection(*(set(each) for each in told.values()))
        return {name: {rank: each[name] for rank, each in told.items()} for name in sorted(names)}

    def losses_apart(self) -> tuple[SplitLoss, SplitLoss] | None:
        """The largest and the smallest of the losses that the ranks have computed together from one batch,
        where they differ at each of several steps."""
        every = [told.split_losses for told in self.told.values()]
        if not self.is_complete or any(len(each) < SPLIT for each in every):
            return None
        for step in zip(*every, strict=True):
            values = [each.value for each in step]
            near = max(values) - min(values) <= ROUNDED * max(map(abs, values))
            if len({each.fed for each in step}) > 1 or near:
                return None
        last = sorted((each[-1] for each in every), key=lambda each: each.value)
        return last[-1], last[0]

    def choices_alike(self) -> Choice | None:
        """A loss for which each rank has rows of its own and chooses the first of the same candidates, in
        several steps."""
        every = [told.choices for told in self.told.values()]
        if not self.is_complete or any(len(each) < CHOSEN for each in every):
            return None
        for step in zip(*every, strict=True):
            offers, asks = {each.offers for each in step}, {each.asks for each in step}
            if len(offers) > 1 or len(asks) < len(step):
                return None
        return every[0][-1]

    def biases_summed(self) -> Iterator[SummedBias]:
        """Biases that all ranks have alike and add to parts of a sum, with weights that no two have alike."""
        every = [told.summed_biases for told in self.told.values()]
        if not self.is_complete:
            return
        for of_ranks in zip(*every, strict=False):
            biases, weights = {each.bias for each in of_ranks}, {each.weight for each in of_ranks}
            same_layer = len({each.name for each in of_ranks}) == 1
            if same_layer and len(biases) == 1 and 0 not in biases and len(weights) == len(every):
                yield of_ranks[0]

    def targets_unequal(self) -> tuple[Weighed, Weighed] | None:
        """Of a step, a target that counts most and one that counts least, where each rank takes the mean over
        its own targets and most steps have many more on some ranks."""
        every = [told.weighed for told in self.told.values()]
        if not self.is_complete or any(len(each) < WEIGHED for each in every):
            return None
        steps = list(zip(*every, strict=True))
        if not all(map(_are_means, steps)) or geometric_mean(map(_ratio, steps)) < UNEQUAL:
            return None
        step = sorted(max(steps, key=_ratio), key=lambda each: each.weight)
        return step[-1], step[0]

    def copies_differing(self) -> Iterator[Miscopied]:
        """Of the step at which the first were seen to differ: what is computed from them differs later."""
        if self.first is None or not self.is_complete:
            return
        found: dict[tuple[int, tuple[int, ...], Span], Miscopied] = {}
        for key in dict.fromkeys(key for told in self.told.values() for key in told.copies):
            held = {r: self.told[r].copies.get(key) for r in key[1] if r in self.told}
            copies = {rank: copy for rank, copy in held.items() if copy is not None}
            if len(copies) == len(key[1]) and _are_unlike(list(copies.values())):
                self.since.setdefault(("copies", str(key)), self.step)
                totals = {rank: copy.total for rank, copy in copies.items()}
                found[key] = Miscopied(copies[min(copies)], minority(totals))
        begin = min((s for (kind, _), s in self.since.items() if kind == "copies"), default=0)
        lines: dict[Span, Miscopied] = {}
        for key, each in found.items():
            if self.since["copies", str(key)] == begin:
                lines.setdefault(each.copy.where, each)
        yield from lines.values()

    def totals_growing(self) -> Iterator[Total]:
        """Tensors of which every rank gives back the sum over all ranks and what it has added since."""
        every = [told.totals for told in self.told.values()]
        if not self.has_all or self.world < 2:
            return
        for name, first in every[0].items():
            if all(name in totals for totals in every):
                given = [totals[name].given for totals in every]
                if _each_contains_the_last(given):
                    yield first

    def orders_differing(self) -> Iterator[Difference]:
        """Lists and dicts of one name that hold the same names on all ranks, in another order."""
        for each in self.differing("order", lambda told: told.orders):
            orders = list(each.values.values())
            same = {(o.kind, o.size, o.members, o.numbers) for o in orders}
            if len(same) == 1 and len({o.order for o in orders}) > 1:
                values = {rank: order.order for rank, order in each.values.items()}
                yield each._replace(others=minority(values))

    def numbers_differing(self) -> Iterator[Numbered]:
        """Dicts of one name that number other names on each rank without a gap, and most of those that two
        ranks have both differently."""
        if self.first is None or not self.is_complete:
            return
        for name, own in self.first.orders.items():
            for rank, told in self.told.items():
                other = told.orders.get(name)
                if other is None or other.members == own.members:
                    continue
                here, there = dict(own.some), dict(other.some)
                common = here.keys() & there.keys()
                differ = sum(here[each] != there[each] for each in common)
                if len(common) >= LEAST_NAMES and 2 * differ > len(common):
                    ranks = (self.first.rank, rank)
                    yield Numbered(name, ranks, len(common), differ, own.where)
                    break

    def unlike(self) -> Iterator[Mixed]:
        """Calls that the ranks make with other arguments."""
        if self.is_complete:
            yield from unlike({rank: told.named for rank, told in self.told.items()})

    def mixed(self) -> Iterator[Mixed]:
        """Calls at which ranks give values of different meaning."""
        if self.is_complete:
            yield from mixed({rank: told.named for rank, told in self.told.items()})

    def restored(self) -> dict[str, dict[int, Restored]]:
        """The devices that checkpoints were read to, and the ranks that did so."""
        readers: dict[str, dict[int, Restored]] = {}
        for rank, told in self.told.items():
            for restored in told.restored:
                readers.setdefault(restored.device, {})[rank] = restored
        return readers

    def differing_in(self, replica: Replica, what: Digests) -> list[Difference]:
        """The names of what is not the same in a model on all ranks that have it."""
        at = self.replicated.index(replica)
        kind = f"{what} of {replica.name}"
        return list(self.differing(kind, lambda told: getattr(told.replicas[at], what)))

    def parted_by(self, replica: Replica) -> tuple[Digests, list[Difference]]:
        """What of a model differs of itself. Where gradients did first, parameters follow them; where
        parameters did, they were changed without the optimizer, and gradients may differ for it."""
        found = {what: self.differing_in(replica, what) for what in FOLLOWING}
        gradients, parameters = (self._first(what, replica) for what in found)
        if gradients and (not parameters or gradients <= parameters):
            return "gradients", found["gradients"]
        return "parameters", found["parameters"]

    def _first(self, what: Digests, replica: Replica) -> int:
        """The step at which the first of them was seen to differ; 0 where none ever was."""
        kind = f"{what} of {replica.name}"
        return min((step for (each, _), step in self.since.items() if each == kind), default=0)

    def states_differing(self, replica: Replica) -> list[Difference]:
        """What the optimizer keeps of the parameters of a model, where it differs before the first step that
        is compared: later, it follows the gradients."""
        begin = self.since.setdefault(("states", replica.name), self.step)
        return [each for each in self.differing_in(replica, "states") if each.since == begin]

    def settings_differing(self) -> Iterator[Difference]:
        """Of the optimizers, which parameters follow."""
        return self.differing("setting", lambda told: told.settings)

    def differing(
        self, kind: str, values: Callable[[Told], Mapping[str, Hashable]]
    ) -> Iterator[Difference]:
        """What several ranks name, and do not agree in."""
        return self._differing(kind, {rank: values(told) for rank, told in self.told.items()})

    def differing_by(
        self, kind: str, by_rank: Mapping[int, Mapping[str, Hashable]]
    ) -> Iterator[Difference]:
        """What several of these ranks name, and do not agree in."""
        return self._differing(kind, by_rank)

    def settings_of(self, model: Reduction) -> Iterator[Difference]:
        """Of the optimizer of a model without a wrapper."""
        by_rank = {rank: each.settings for rank, each in model.of.items()}
        return self._differing(f"setting of {model.first.name}", by_rank)

    def buffers_of(self, model: Reduction) -> Iterator[Difference]:
        """Those that stay as they are, of a model without a wrapper."""
        by_rank = {rank: each.buffers for rank, each in model.of.items()}
        return self._differing(f"buffers of {model.first.name}", by_rank)

    def without_steps(self) -> list[int]:
        """At the end, the ranks whose optimizer has never stepped while that of others has, after as many
        backward passes, and whose models differ from theirs."""
        idle = [rank for rank, told in self.told.items() if told.trained and told.step <= 1]
        others = [told for told in self.told.values() if told.rank not in idle]
        if not self.has_all or not idle or not others:
            return []
        first = others[0]
        idle = [rank for rank in idle if self.told[rank].backwards == first.backwards]
        return [rank for rank in idle if self._has_different(self.told[rank].trained, first)]

    def _has_different(self, trained: Mapping[str, int], first: Told) -> bool:
        both = trained.keys() & first.trained.keys()
        return any(trained[name] != first.trained[name] for name in both)

    def _differing(
        self, kind: str, by_rank: Mapping[int, Mapping[str, Hashable]]
    ) -> Iterator[Difference]:
        for name in dict.fromkeys(name for values in by_rank.values() for name in values):
            found = {rank: values[name] for rank, values in by_rank.items() if name in values}
            if len(set(found.values())) > 1:
                since = self.since.setdefault((kind, name), self.step)
                yield Difference(name, since, minority(found), found)

    @property
    def step(self) -> int:
        return self.first.step if self.first else 0

    @property
    def firsts_of_machines(self) -> set[int]:
        """The ranks that come first on their machines; none where each machine has one rank only."""
        firsts = {rank for rank, told in self.told.items() if told.local_rank == 0}
        return firsts if len(firsts) < len(self.told) else set()

    def drawn_twice(self) -> tuple[Shuffled, int] | None:
        """The same pass over as much data on every rank, with how many samples seen were drawn by more
        than one; nothing where a rank has drawn some that are alike itself."""
        drawn = [told.shuffled for told in self.told.values() if told.shuffled is not None]
        if not self.is_complete or len(drawn) < len(self.told):
            return None
        if len({(each.number, each.size) for each in drawn}) > 1:
            return None
        if any(len(set(each.rows)) < len(each.rows) for each in drawn):
            return None
        different = {row for each in drawn for row in each.rows}
        return drawn[0], sum(len(each.rows) for each in drawn) - len(different)

    def saved(self) -> Iterator[tuple[File, tuple[int, ...]]]:
        """Each file that was saved, and the ranks that saved it."""
        savers: dict[Hashable, dict[int, File]] = {}
        for rank, told in self.told.items():
            for file in told.saved:
                savers.setdefault(file.identity, {})[rank] = file
        for by_rank in savers.values():
            yield next(iter(by_rank.values())), tuple(by_rank)

    def missing_shards(self) -> Iterator[tuple[File, tuple[int, ...]]]:
        """Files with parts of tensors of which some rank has saved none, and the ranks that saved any."""
        files = [(file, ranks) for file, ranks in self.saved() if file.shards]
        savers = tuple(sorted({rank for _, ranks in files for rank in ranks}))
        for file, _ in files[:1]:
            if self.has_all and len(savers) < file.parts:
                yield file, savers

    def on_one_card(self) -> Iterator[tuple[Told, ...]]:
        """Ranks that train on one card while another in their sight is trained on by none."""
        together = self._by_card() if self.has_all else {}
        for ranks in together.values():
            machine = [each for each in together.values() if each[0].node == ranks[0].node]
            if len(ranks) > 1 and ranks[0].cards > len(machine):
                yield ranks

    def on_anothers_card(self) -> Iterator[tuple[Told, tuple[Held, int]]]:
        """Ranks that hold memory of a card which they do not train on and another rank does."""
        together = self._by_card()
        for told in self.told.values():
            for held in told.others:
                if held.card in together:
                    yield told, (held, together[held.card][0].rank)

    def _by_card(self) -> dict[Hashable, tuple[Told, ...]]:
        """The ranks that train on each card."""
        together: dict[Hashable, tuple[Told, ...]] = {}
        for told in self.told.values():
            if told.card is not None:
                together[told.card.card] = (*together.get(told.card.card, ()), told)
        return together

    def agreed(self, values: Callable[[Told], Hashable]) -> bool:
        """Whether all ranks tell the same, and that it is something."""
        found = {values(told) for told in self.told.values()}
        return self.is_complete and len(found) == 1 and bool(found.pop())

    def hit(
        self,
        says: str,
        where: Span | None,
        sure: bool = True,
        fix: Fix | None = None,
        **evidence: Value,
    ) -> Hit:
        return Hit(says, where, {"ranks": self.world, **evidence}, fix, sure)


SPLIT = 3
"""Steps whose losses have to differ."""
CHOSEN = 3
"""Steps in which all ranks have to choose the same candidates."""
ROUNDED = 1e-3
"""Of a loss: what rounding changes."""
WEIGHED = 8
"""Steps whose losses are compared."""
UNEQUAL = 1.5
"""Of the targets of the half of the ranks that has more to those of the other half, as the geometric mean
over the steps: a last batch is smaller once in an epoch."""
UNLIKE = 1e-2
"""Of the size of a tensor: more than what rounding changes, in bfloat16 as well."""
APART = 1.02
"""Factors of the gradients that differ by more than rounding does."""
LEAST_NAMES = 8
"""Names that two ranks both number, by which they are seen to be names of the same kind."""
LEAST_ROWS = 8
"""Samples that two stages of a pipeline have both taken, by which their data is seen to be the same."""
LEAST_SUMS = 4
"""Sums in a row by which a tensor is seen to grow from each to the next."""


def _each_contains_the_last(given: Sequence[Sequence[float]]) -> bool:
    """Whether all ranks give at least the last sum over the ranks, and some more than that, each time."""
    rounds = list(zip(*given, strict=False))
    if len(rounds) < LEAST_SUMS:
        return False
    sums = [sum(each) for each in rounds]
    if not all(0 < total < float("inf") for total in sums):
        return False
    following = list(zip(sums, rounds[1:], strict=False))
    contains = all(min(each) >= total * (1 - 1e-6) for total, each in following)
    return contains and all(max(each) > total * (1 + 1e-6) for total, each in following[:1])


def _are_means(step: Sequence[Weighed]) -> bool:
    """Whether all targets of a rank count together as much as those of another."""
    wholes = [each.weight * each.targets for each in step]
    return max(wholes) - min(wholes) <= 1e-3 * max(wholes)


def _ratio(step: Iterable[Weighed]) -> float:
    counts = sorted(each.targets for each in step)
    half = len(counts) // 2
    return sum(counts[-half:]) / sum(counts[:half])


def _are_unlike(copies: Sequence[Copy]) -> bool:
    if len({copy.shape for copy in copies}) > 1:
        return False
    totals = [copy.total for copy in copies]
    size = max(copy.size for copy in copies)
    return max(totals) - min(totals) > UNLIKE * size


def _are_others(one: Sequence[int], other: Sequence[int]) -> bool:
    """Whether most of two rows of digests differ: of a cache, each rank has filled some places."""
    apart = sum(a != b for a, b in zip(one, other, strict=False))
    return len(one) == len(other) and 2 * apart > len(one)


def _divide_work(one: int, two: int, fed: FedRows) -> bool:
    """Whether two ranks are to have other samples: they train one model, and no smaller group has both of
    them, whose ranks may hold parts of one sample."""
    apart = not any(one in group and two in group for group in fed.together)
    return apart and {one, two} <= set(fed.members)


def _evaluated(told: Told, own: Split) -> list[Split]:
    """The parts of the same data that are not trained on."""
    return [each for each in told.splits if not each.trained and each.size == own.size]


def minority(values: Mapping[int, Hashable]) -> tuple[int, ...]:
    """The ranks whose value is not the most frequent; of equals the first rank's counts as that."""
    often = Counter(values.values())  # it keeps the order in which values came
    most = max(often, key=lambda value: often[value])
    return tuple(rank for rank, value in values.items() if value != most)


def first_of(names: Iterable[str]) -> str:
    """ "`a.weight`", "`a.weight` and 3 more"."""
    first, *others = names
    if not others:
        return f"`{first}`"
    return sentence("first_and_n_more", name=first, n=len(others))
