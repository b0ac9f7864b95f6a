"""Collectives as ranks make them, where ranks stand, and where they part."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from os.path import basename
from typing import NamedTuple

from keng import model
from keng._util.texts import sentence
from keng.model import Span

SAME_SHAPES = {
    "all_reduce", "allreduce_coalesced", "broadcast", "reduce", "reduce_scatter",
    "_reduce_scatter_base", "_all_gather_base",
}  # fmt: skip
"""Collectives whose tensors must have the same shape on every rank."""

NEW_GROUP = "new_group"
"""A call that all ranks must make as well; its number is that of the group."""

ABORT = "SIGABRT"
LOST = re.compile(
    r"Connection (?:closed|reset|refused)|Timed out waiting|[Gg]loo|NCCL|Dist\w+Error|Broken pipe"
)
"""Errors of a rank that other ranks have left."""


def ended_early(gone: str) -> bool:
    """Whether a rank that ended so did before its time, and not because it had lost the others."""
    return gone not in ("", "ended") and LOST.search(gone) is None


class Collective(NamedTuple):
    """What is called, and from where: the user's lines, innermost first. `joined` where torch's `Join` calls
    it for a rank that is out of inputs, so that the others do not wait."""

    op: str
    shapes: tuple[tuple[int, ...], ...] = ()
    dtype: str = ""
    lines: tuple[Span, ...] = ()
    function: str = ""
    joined: bool = False

    @property
    def where(self) -> Span | None:
        return self.lines[0] if self.lines else None

    def __str__(self) -> str:
        shapes = ", ".join(str(list(shape)) for shape in self.shapes)
        return f"{self.op} of {shapes} {self.dtype}".rstrip() if shapes else self.op

    def meets(self, other: Collective) -> bool:
        """Whether the two can be one collective of two ranks."""
        if self.op == other.op and not (self.shapes and other.shapes):
            return True  # who receives a scatter gives nothing
        if (self.op, self.dtype) != (other.op, other.dtype):
            return False
        return self.op not in SAME_SHAPES or self.shapes == other.shapes


class Call(NamedTuple):
    """A collective as one rank made it; `number` counts within its process group from 1, `at` are
    seconds since 1970 by the clock of its machine."""

    group: str
    number: int
    collective: Collective
    at: float = 0.0


class Named(NamedTuple):
    """A collective as the program writes it: `text` is its statement and those that led there, with the
    strings by which they take a value from a collection. `op` is the method that is
    called, and `given` are the arguments that must be the same on every rank: the operation, and the rank
    that sends or receives."""

    group: str
    number: int
    text: str
    where: Span
    op: str = ""
    given: str = ""


class Mixed(NamedTuple):
    """A call at which the ranks give values of different meaning: in a row of calls from one line each gives
    the same ones, in another order."""

    number: int
    by_rank: Mapping[int, Named]


def unlike(by_rank: Mapping[int, tuple[Named, ...]]) -> Iterator[Mixed]:
    """The first call of each group that the ranks make with other arguments."""
    tables = _tables(by_rank)
    found: set[str] = set()
    for key in _common(tables):
        ops = {table[key].op for table in tables.values()}
        given = {table[key].given for table in tables.values()}
        if key[0] not in found and len(ops) == 1 and len(given) > 1:
            found.add(key[0])
            yield Mixed(key[1], {rank: table[key] for rank, table in tables.items()})


Table = Mapping[tuple[str, int], Named]


def _tables(by_rank: Mapping[int, tuple[Named, ...]]) -> dict[int, Table]:
    return {
        rank: {(call.group, call.number): call for call in calls} for rank, calls in by_rank.items()
    }


def _common(tables: Mapping[int, Table]) -> list[tuple[str, int]]:
    """The calls that every rank has named."""
    return sorted(set.intersection(*(set(table) for table in tables.values())))


MOST_MIXED = 16
"""Calls in a row that are compared."""


def mixed(by_rank: Mapping[int, tuple[Named, ...]]) -> Iterator[Mixed]:
    """The first such call of each group that all ranks have named calls of."""
    tables = _tables(by_rank)
    common = _common(tables)
    found: set[str] = set()
    for at, key in enumerate(common):
        texts = {table[key].text for table in tables.values()}
        row = [each for each in common[at : at + MOST_MIXED] if each[0] == key[0]]
        if len(texts) > 1 and key[0] not in found and _is_reordered(row, tables):
            found.add(key[0])
            yield Mixed(key[1], {rank: table[key] for rank, table in tables.items()})


def _is_reordered(
    row: list[tuple[str, int]], tables: Mapping[int, Mapping[tuple[str, int], Named]]
) -> bool:
    """Whether some calls in a row from the first are the same ones on every rank, all from one line: those
    of several lines may be arms that the data chooses."""
    for length in range(2, len(row) + 1):
        part = row[:length]
        lines = {t[key].where for t in tables.values() for key in part}
        if part[-1][1] - part[0][1] != length - 1 or len(lines) > 1:
            return False
        if len({tuple(sorted(t[key].text for key in part)) for t in tables.values()}) == 1:
            return True
    return False


ANY = -1
"""For a rank, where a message may come from any."""


class Way(NamedTuple):
    """What is sent from one rank to another goes by a group and a tag; `peer` is the other's rank."""

    group: str
    peer: int
    tag: int


class Message(NamedTuple):
    """The so many-th that was sent, or asked for, on a way."""

    sends: bool
    way: Way
    number: int
    collective: Collective

    def __str__(self) -> str:
        tag = f", tag {self.way.tag}" if self.way.tag else ""
        peer = "any rank" if self.way.peer == ANY else f"rank {self.way.peer}"
        return f"{self.collective} {'to' if self.sends else 'from'} {peer}{tag}"


class Mail(NamedTuple):
    """How many messages a rank has sent and asked for on each way, and those that are not through."""

    sent: Mapping[Way, int]
    received: Mapping[Way, int]
    waits: tuple[Message, ...] = ()

    def met(self, message: Message, rank: int) -> int:
        """How many on the way of this message of another rank's have been met here."""
        group, _, tag = message.way
        return (self.received if message.sends else self.sent).get(Way(group, rank, tag), 0)

    def tags(self, message: Message, rank: int) -> list[int]:
        """The other tags under which the same has been sent here, or asked for."""
        ways = self.received if message.sends else self.sent
        group, _, tag = message.way
        return [w.tag for w in ways if (w.group, w.peer) == (group, rank) and w.tag != tag]


NO_MAIL = Mail({}, {})


class Standing(NamedTuple):
    """Where a rank is while others wait: in a collective (`waits`), in a message to one rank (`mail`), at
    a line of the user's code, in the hands of a DataLoader (`loads`), or nowhere any more. `gone` tells
    how it ended: "ended", "killed by SIGKILL", or its error. `calls` are the last that it made, `at`
    when it stood so. `polls` where its line is in a loop that does nothing but wait for something.
    `lines` are those in which C++ aborted it. `given` are the arguments of the collective that it waits in,
    as in `Named`."""

    rank: int
    waits: tuple[Call, ...] = ()
    where: Span | None = None
    function: str = ""
    loads: bool = False
    made: int = 0
    gone: str = ""
    calls: tuple[Call, ...] = ()
    at: float = 0.0
    mail: Mail = NO_MAIL
    polls: bool = False
    lines: tuple[Span, ...] = ()
    given: str = ""

    @property
    def is_waiting(self) -> bool:
        return bool((self.waits or self.mail.waits) and not self.gone)

    @property
    def group_awaited(self) -> int:
        """The number of the process group that it waits to be made; 0 where it waits for none."""
        return next((c.number for c in self.waits if c.collective.op == NEW_GROUP), 0)

    @property
    def lost(self) -> bool:
        """Whether it ended because it lost the others."""
        return LOST.search(self.gone) is not None

    @property
    def broke(self) -> bool:
        """Whether it ended before its time, and not for others' sake."""
        return ended_early(self.gone)

    @property
    def troubled(self) -> bool:
        """Whether it broke off, alone or with the others, or waits for them still."""
        return self.broke or self.lost or self.is_waiting


class Side(NamedTuple):
    """Ranks that did the same at a parting: made `collective`, or made none and run `where` instead.

    `guard` is the test on the rank under which the line stands. `foreign` where no other rank has
    ever come to this line; `extra` where the calls before or after show it to be one too many. `left`
    is the loop that they have come out of, and in which others still are. `waits` is what they wait in
    instead, and `polls` whether they are in a loop that does nothing but wait.
    `lines` are those in which C++ aborted them, innermost first.
    """

    ranks: tuple[int, ...]
    collective: Collective | None = None
    where: Span | None = None
    guard: str = ""
    foreign: bool = False
    extra: bool = False
    left: Span | None = None
    gone: str = ""
    waits: Collective | None = None
    polls: bool = False
    lines: tuple[Span, ...] = ()

    @property
    def broke(self) -> bool:
        return ended_early(self.gone)

    @property
    def makes_group(self) -> bool:
        return self.waits is not None and self.waits.op == NEW_GROUP

    @property
    def call(self) -> str:
        return f"{self.collective}{self._at}"

    def __str__(self) -> str:
        if self.collective is not None:
            return f"{spoken(self.ranks)} in {self.call}"
        inside = f"in {self.waits}" if self.waits else "elsewhere"
        return f"{spoken(self.ranks)} {self.gone or inside + self._at}"

    @property
    def _at(self) -> str:
        return f" at {place(self.where)}" if self.where else ""


class Parting(NamedTuple):
    """The first call of a process group at which its ranks part. `stands` where the run stands still
    for it; otherwise their values have been mixed. `swapped` where the next call is the same the other
    way round."""

    group: str
    number: int
    sides: tuple[Side, ...]
    stands: bool = False
    swapped: bool = False

    @property
    def sure(self) -> bool:
        """Whether all ranks have come as far, or will not: one that makes none may just be slow."""
        return all(side.collective or side.waits or side.gone or side.polls for side in self.sides)

    @property
    def broken(self) -> list[Side]:
        """The sides that made no such call because they had ended before their time."""
        return [side for side in self.sides if side.collective is None and side.broke]

    @property
    def aborted(self) -> Side | None:
        """The side that C++ has ended in another line than that of the call which the rest is in: gloo does
        so where a message does not fit the call."""
        lines = {line for side in self.sides if side.collective for line in side.collective.lines}
        for side in self.sides if lines else ():
            where = next((line for line in side.lines if line not in lines), None)
            if side.collective is None and where is not None:
                return side._replace(where=where)
        return None

    @property
    def aborted_alike(self) -> Side | None:
        """The side that C++ has ended in the line that the rest is in: their tensors do not fit."""
        lines = {line for side in self.sides if side.collective for line in side.collective.lines}
        ended = [side for side in self.sides if side.collective is None and side.lines]
        same = [side for side in ended if ABORT in side.gone and lines.issuperset(side.lines)]
        return same[0]._replace(where=same[0].lines[0]) if same else None

    @property
    def alone(self) -> Side | None:
        """The side that makes a collective which the others never make."""
        foreign = [s for s in self.sides if s.collective and s.foreign and not self.swapped]
        found = [s for s in foreign if s.guard or (s.extra and not s.left)]
        return found[0] if len(found) == 1 else None

    @property
    def ahead(self) -> Side | None:
        """The side that has made all calls of a loop before the others have."""
        return next((side for side in self.sides if side.left), None)

    def others(self, side: Side) -> str:
        return ", ".join(str(other) for other in self.sides if other is not side)


def _call(call: Call) -> tuple[str, int, str]:
    return call.group, call.number, call.collective.op


class Stall(NamedTuple):
    """Some ranks have waited for `seconds` without any progress."""

    seconds: float
    standings: tuple[Standing, ...]

    @property
    def unlike_arguments(self) -> dict[int, Standing]:
        """By rank, those that wait in the same call of all, with other arguments."""
        waiting = {each.rank: each for each in self.standings if each.given and each.waits}
        calls = {_call(each.waits[0]) for each in waiting.values()}
        different = len({each.given for each in waiting.values()}) > 1
        return waiting if len(calls) == 1 and different else {}

    @property
    def unlike_groups(self) -> list[tuple[Standing, Standing]]:
        """Two that wait for the ranks to make a process group, which is not the same one by number."""
        waiting = [each for each in self.standings if each.group_awaited]
        waiting.sort(key=lambda each: each.group_awaited)
        ends = list(zip(waiting[:1], waiting[-1:], strict=True))
        return [(a, b) for a, b in ends if a.group_awaited < b.group_awaited]


SINGLE, RUNS = 8, 16
"""Ranks up to which each is named, and runs of ranks that are named of more."""


def listed(ranks: Iterable[int]) -> list[str]:
    """Each rank, or of many ranks the runs: "0-124", "126"."""
    known = sorted(ranks)
    if len(known) <= SINGLE:
        return [str(rank) for rank in known]
    firsts = [r for r, before in zip(known, [-2, *known], strict=False) if before != r - 1]
    lasts = [r for r, after in zip(known, [*known[1:], -2], strict=True) if after != r + 1]
    runs = [str(a) if a == b else f"{a}-{b}" for a, b in zip(firsts, lasts, strict=True)]
    return runs if len(runs) <= RUNS else [*runs[: RUNS - 1], f"... {runs[-1]}"]


def spoken(ranks: Iterable[int]) -> model.Message:
    """ "rank 0", "ranks 0 and 2", "ranks 1 to 7", "ranks 0, 2 and 5", "ranks 0-124 and 126"."""
    known = sorted(ranks)
    if len(known) == 1:
        return sentence("one_rank", rank=known[0])
    if len(known) > 2 and known[-1] - known[0] == len(known) - 1:
        return sentence("ranks_from_to", first=known[0], last=known[-1])
    *some, last = listed(known)
    return sentence("ranks_listed", some=", ".join(some), last=last)


def place(where: Span) -> str:
    """A place in few characters, where the finding shows another in full."""
    return f"{basename(where.path)}:{where.line}"
