"""What a comparer is shown: what the ranks of one run have told, side by side.

Plain objects, made by the engine, that hold no torch and need none. They travel between processes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from os.path import basename
from typing import NamedTuple

from keng.model import Fix, Hit, Span, Value

SAME_SHAPES = {
    "all_reduce", "allreduce_coalesced", "broadcast", "reduce", "reduce_scatter",
    "_reduce_scatter_base", "_all_gather_base",
}  # fmt: skip
"""Collectives whose tensors must have the same shape on every rank."""

LOST = re.compile(
    r"Connection (?:closed|reset|refused)|Timed out waiting|[Gg]loo|NCCL|Dist\w+Error|Broken pipe"
)
"""Errors of a rank that other ranks have left."""


@dataclass(frozen=True, slots=True)
class Collective:
    """What is called, and from where: the user's lines, innermost first."""

    op: str
    shapes: tuple[tuple[int, ...], ...] = ()
    dtype: str = ""
    lines: tuple[Span, ...] = ()
    function: str = ""

    @property
    def where(self) -> Span | None:
        return self.lines[0] if self.lines else None

    def __str__(self) -> str:
        shapes = ", ".join(str(list(shape)) for shape in self.shapes)
        return f"{self.op} of {shapes} {self.dtype}".rstrip() if shapes else self.op

    def meets(self, other: Collective) -> bool:
        """Whether the two can be one collective of two ranks."""
        if (self.op, self.dtype) != (other.op, other.dtype):
            return False
        return self.op not in SAME_SHAPES or self.shapes == other.shapes


class Call(NamedTuple):
    """A collective as one rank made it; `number` counts within its process group from 1."""

    group: str
    number: int
    collective: Collective


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a rank is while others wait: in a collective (`waits`), at a line of the user's code, in
    the hands of a DataLoader (`loads`), or nowhere any more. `gone` tells how it ended: "ended",
    "killed by SIGKILL", or its error."""

    rank: int
    waits: tuple[Call, ...] = ()
    where: Span | None = None
    function: str = ""
    loads: bool = False
    made: int = 0
    gone: str = ""

    @property
    def lost(self) -> bool:
        """Whether it ended because it lost the others."""
        return LOST.search(self.gone) is not None

    @property
    def broke(self) -> bool:
        """Whether it ended before its time, and not for others' sake."""
        return self.gone not in ("", "ended") and not self.lost


@dataclass(frozen=True, slots=True)
class Side:
    """Ranks that did the same at a parting: made `collective`, or made none and run `where` instead.

    `guard` is the test on the rank under which the line stands. `foreign` where no other rank has
    ever come to this line; `extra` where the calls before or after show it to be one too many.
    """

    ranks: tuple[int, ...]
    collective: Collective | None = None
    where: Span | None = None
    guard: str = ""
    foreign: bool = False
    extra: bool = False
    gone: str = ""
    waits: bool = False

    def __str__(self) -> str:
        at = f" at {place(self.where)}" if self.where else ""
        if self.collective is not None:
            return f"{spoken(self.ranks)} in {self.collective}{at}"
        return f"{spoken(self.ranks)} {self.gone or 'elsewhere' + at}"


@dataclass(frozen=True, slots=True)
class Parting:
    """The first call of a process group at which its ranks part. `stands` where the run stands still
    for it; otherwise their values have been mixed."""

    group: str
    number: int
    sides: tuple[Side, ...]
    stands: bool = False

    @property
    def sure(self) -> bool:
        """Whether all ranks have come as far, or will not: one that makes none may just be slow."""
        return all(side.collective or side.waits or side.gone for side in self.sides)

    @property
    def alone(self) -> Side | None:
        """The side that makes a collective which the others never make."""
        found = [s for s in self.sides if s.collective and s.foreign and (s.extra or s.guard)]
        return found[0] if len(found) == 1 else None

    def others(self, side: Side) -> str:
        return ", ".join(str(other) for other in self.sides if other is not side)


@dataclass(frozen=True, slots=True)
class Stall:
    """Some ranks have waited for `seconds` without any progress."""

    seconds: float
    standings: tuple[Standing, ...]


@dataclass(frozen=True, slots=True)
class Replica:
    """A model in DistributedDataParallel, as one rank has it.

    `parameters` and `buffers` are digests by name: of all that must agree between ranks, and of the
    buffers that have not changed since they were last looked at. `unused` are parameters without a
    gradient at a step that counted on one. `normed` are batch norm layers in training that see this
    rank's `samples` alone. `past` is the line that called the module inside past its wrapper.
    """

    name: str
    where: Span | None
    device: str = "cpu"
    parameters: Mapping[str, int] = field(default_factory=dict)
    buffers: Mapping[str, int] = field(default_factory=dict)
    unused: tuple[str, ...] = ()
    normed: tuple[str, ...] = ()
    samples: int = 0
    past: Span | None = None


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


class File(NamedTuple):
    """A file that was saved. `identity` is the same for the same file seen from several machines."""

    path: str
    identity: Hashable
    where: Span | None

    @property
    def name(self) -> str:
        return basename(self.path)


class Restored(NamedTuple):
    """A checkpoint that was read to `device` while this rank's own was `own`."""

    device: str
    own: str
    where: Span | None


@dataclass(frozen=True, slots=True)
class Told:
    """What one rank tells after a step. `where` is the line that called the model. `drawn` are
    digests of the random states at the last steps looked at, by generator, where they moved in each;
    `batches` those of the same steps. `saved` and `restored` are from the beginning of the run.
    `counts_ranks` where the program calculates with the number of ranks."""

    rank: int
    step: int
    where: Span | None = None
    local_rank: int = 0
    node: str = ""
    replicas: tuple[Replica, ...] = ()
    settings: Mapping[str, Value] = field(default_factory=dict)
    batches: tuple[Fed, ...] = ()
    drawn: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    passes: tuple[Pass, ...] = ()
    saved: tuple[File, ...] = ()
    restored: tuple[Restored, ...] = ()
    counts_ranks: bool = True


class Difference(NamedTuple):
    """A thing of one name that is not the same on all ranks, and the step at which that was first
    seen. `others` are the ranks that do not have what most have."""

    name: str
    since: int
    others: tuple[int, ...]


@dataclass(frozen=True)
class Ranks:
    """What the ranks have told: of one step where `told` holds all of them, of a stall, or of a
    parting. `since` remembers the step at which each difference was first seen."""

    world: int
    told: Mapping[int, Told] = field(default_factory=dict)
    parting: Parting | None = None
    stall: Stall | None = None
    since: dict[Hashable, int] = field(default_factory=dict, repr=False)

    @cached_property
    def first(self) -> Told | None:
        return self.told[min(self.told)] if self.told else None

    @cached_property
    def replicated(self) -> tuple[Replica, ...]:
        """The models that every rank has told of, as the first rank has them."""
        if self.first is None or len(self.told) < self.world:
            return ()
        return self.first.replicas

    def of(self, replica: Replica) -> dict[int, Replica]:
        """The same model on each rank."""
        at = self.replicated.index(replica)
        return {r: t.replicas[at] for r, t in self.told.items() if at < len(t.replicas)}

    def differing(
        self, kind: str, values: Callable[[Told], Mapping[str, Hashable]]
    ) -> Iterator[Difference]:
        """What several ranks name, and do not agree in."""
        by_rank = {rank: values(told) for rank, told in self.told.items()}
        for name in next(iter(by_rank.values()), {}):
            found = {rank: values[name] for rank, values in by_rank.items() if name in values}
            if len(found) == self.world and len(set(found.values())) > 1:
                since = self.since.setdefault((kind, name), self.step)
                yield Difference(name, since, minority(found))

    @property
    def step(self) -> int:
        return self.first.step if self.first else 0

    @property
    def firsts_of_machines(self) -> set[int]:
        """The ranks that come first on their machines; none where each machine has one rank only."""
        firsts = {rank for rank, told in self.told.items() if told.local_rank == 0}
        return firsts if len(firsts) < len(self.told) else set()

    def saved(self) -> Iterator[tuple[File, tuple[int, ...]]]:
        """Each file that was saved, and the ranks that saved it."""
        savers: dict[Hashable, dict[int, File]] = {}
        for rank, told in self.told.items():
            for file in told.saved:
                savers.setdefault(file.identity, {})[rank] = file
        for by_rank in savers.values():
            yield next(iter(by_rank.values())), tuple(by_rank)

    def agreed(self, values: Callable[[Told], Hashable]) -> bool:
        """Whether all ranks tell the same, and that it is something."""
        found = {values(told) for told in self.told.values()}
        return len(self.told) == self.world > 1 and len(found) == 1 and bool(found.pop())

    def hit(
        self,
        says: str,
        where: Span | None,
        sure: bool = True,
        fix: Fix | None = None,
        **evidence: Value,
    ) -> Hit:
        return Hit(says, where, {"ranks": self.world, **evidence}, fix, sure)


def minority(values: Mapping[int, Hashable]) -> tuple[int, ...]:
    """The ranks whose value is not the most frequent; of equals the first rank's counts as that."""
    often = list(values.values())
    most = max(often, key=lambda value: (often.count(value), value == often[0]))
    return tuple(rank for rank, value in values.items() if value != most)


def spoken(ranks: Iterable[int]) -> str:
    """ "rank 0", "ranks 0 and 2", "ranks 1 to 7", "ranks 0, 2 and 5"."""
    known = sorted(ranks)
    if len(known) == 1:
        return f"rank {known[0]}"
    if len(known) > 2 and known[-1] - known[0] == len(known) - 1:
        return f"ranks {known[0]} to {known[-1]}"
    return f"ranks {', '.join(map(str, known[:-1]))} and {known[-1]}"


def place(where: Span) -> str:
    """A place in few characters, where the finding shows another in full."""
    return f"{basename(where.path)}:{where.line}"
