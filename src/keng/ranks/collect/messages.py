"""What ranks write to rank 0."""

from __future__ import annotations

from dataclasses import dataclass

from keng.model import Finding, Skipped
from keng.ranks.calls import Call, Standing
from keng.ranks.reports import Told


@dataclass(frozen=True, slots=True)
class Hello:
    """The first letter: the process, and the ranks of its groups."""

    rank: int
    process: int
    node: str
    killed_for_memory: int


@dataclass(frozen=True, slots=True)
class Made:
    """The calls since the last letter, and the ranks of the groups that they were made in."""

    rank: int
    calls: tuple[Call, ...]
    groups: dict[str, tuple[int, ...]]


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
    told: Told


@dataclass(frozen=True, slots=True)
class Finds:
    finding: Finding


@dataclass(frozen=True, slots=True)
class Ends:
    """The last letter: how it ended, what it found, what it has to tell of the whole run."""

    standing: Standing
    findings: tuple[Finding, ...]
    skipped: tuple[Skipped, ...]
    told: Told


Letter = Hello | Made | Stands | Moves | Tells | Finds | Ends
