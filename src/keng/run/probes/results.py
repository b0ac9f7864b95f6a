"""What probes report: what was seen of each, and the findings that follow from them together."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from keng.model import Span

Verdict = Literal["held", "broken", "note", "skipped"]
Family = Literal["rows", "causal", "padding", "labels", "repeat", "state", "inputs", "gradients"]
Confidence = Literal["likely", "possible", "note"]


@dataclass(frozen=True)
class Outcome:
    """One probe of a model. `signal` is the largest change that should not be, in units of what rounding
    explains. `why` says why it was skipped; `output` names the part of the output that moved."""

    probe: str
    family: Family
    verdict: Verdict
    changed: str = ""
    moved: str = ""
    signal: float = 0.0
    why: str = ""


@dataclass(frozen=True)
class Place:
    """The operation at which a condition first breaks. `where` is the user's line; `library` tells that no line
    of the user's is below the model's own forward. `why` is what the value breaks: for rows "meets" (an
    element answers to two), "layout" (two rows lie over one another) or "moves" (a row moves another)."""

    where: Span | None
    module: str
    operation: str
    code: str = ""
    library: bool = False
    why: str = ""


@dataclass(frozen=True)
class Finding:
    """One property that a model does not have. `probes` are those that agree."""

    pitfall: str
    family: Family
    confidence: Confidence
    says: str
    probes: tuple[str, ...]
    place: Place | None = None


@dataclass(frozen=True)
class Skipped:
    """A probe that could not be run, and why."""

    probe: str
    why: str


@dataclass(frozen=True)
class Report:
    """All that the probes of one call have shown; `findings` without the notes."""

    outcomes: tuple[Outcome, ...] = ()
    everything: tuple[Finding, ...] = ()
    seconds: float = 0.0
    refused: str = ""
    skips: tuple[Skipped, ...] = field(default=())

    @property
    def findings(self) -> tuple[Finding, ...]:
        return tuple(each for each in self.everything if each.confidence != "note")

    @property
    def notes(self) -> tuple[Finding, ...]:
        return tuple(each for each in self.everything if each.confidence == "note")

    @property
    def skipped(self) -> tuple[Skipped, ...]:
        if self.refused:
            return (Skipped("all probes", self.refused),)
        own = (Skipped(each.probe, each.why) for each in self.outcomes if each.verdict == "skipped")
        return (*own, *self.skips)

    @property
    def held(self) -> tuple[str, ...]:
        return tuple(each.probe for each in self.outcomes if each.verdict == "held")
