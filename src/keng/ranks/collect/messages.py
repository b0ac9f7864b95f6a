"""What ranks write to rank 0."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from keng.model import Finding, Skipped, Span
from keng.ranks.calls import Call, Standing
from keng.ranks.reports import PaceSummary, Told


@dataclass(frozen=True, slots=True)
class Hello:
    """The first letter: the process, the thread that runs its program, and the file for its last words."""

    rank: int
    process: int
    node: str
    killed_for_memory: int
    thread: int = 0
    last_words: str = ""


@dataclass(frozen=True, slots=True)
class Made:
    """The calls since the last letter, and the ranks of the groups that they were made in. `often` counts
    by group and line calls before these that are not sent."""

    rank: int
    calls: tuple[Call, ...]
    groups: dict[str, tuple[int, ...]]
    often: Mapping[str, Mapping[Span | None, int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Differs:
    """A section of calls in a group of `ranks` whose digest is not that of its `owner`."""

    rank: int
    owner: int
    group: str
    ranks: tuple[int, ...]
    digest: int


@dataclass(frozen=True, slots=True)
class Stands:
    """No call has been made for so many seconds: the clocks of two machines may differ."""

    standing: Standing
    seconds: float


@dataclass(frozen=True, slots=True)
class Moves:
    """It continues."""

    rank: int


@dataclass(frozen=True, slots=True)
class Tells:
    """One of `of` reports of a step, which are compared. `first` is the report of another rank for the same
    step, with which this one's differs."""

    told: Told
    of: int = 0
    first: Told | None = None


@dataclass(frozen=True, slots=True)
class Finds:
    finding: Finding


@dataclass(frozen=True, slots=True)
class Paced:
    """How long the steps of all ranks of a group have taken, summed up by its first."""

    head: int
    summary: PaceSummary


@dataclass(frozen=True, slots=True)
class Ends:
    """The last letter: how it ended, what it found, what it has to tell of the whole run. `asked` where it
    was asked to end (SIGTERM): then no message follows."""

    standing: Standing
    findings: tuple[Finding, ...]
    skipped: tuple[Skipped, ...]
    told: Told
    asked: bool = False


Letter = Hello | Made | Differs | Stands | Moves | Tells | Finds | Paced | Ends
