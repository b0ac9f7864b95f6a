"""What probes report: what was seen of each, and the findings that follow from them together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from keng import pitfalls
from keng.model import Span
from keng.run.probes.texts import Text

Verdict = Literal["held", "broken", "note", "skipped"]
Family = Literal["rows", "causal", "padding", "labels", "repeat", "state", "inputs", "gradients"]
Kind = Literal[Family, "rows-order", "rows-layout", "rows-softmax", "padding-loss"]
"""A family, or what is known more exactly within one."""
Confidence = Literal["likely", "possible", "note"]


@dataclass(frozen=True)
class Outcome:
    """One probe of a model. `signal` is the largest change that should not be, in units of what rounding
    explains. `seen` says what was changed and what moved, or why the probe was skipped."""

    probe: str
    family: Family
    verdict: Verdict
    signal: float = 0.0
    seen: Text | None = None


@dataclass(frozen=True)
class Place:
    """The operation at which a condition first breaks. `where` is the user's line; `library` tells that no
    line of the user's is below the model's own forward. `why` is what the value breaks: for rows "meets" (an
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

    kind: Kind
    family: Family
    confidence: Confidence
    text: Text
    probes: tuple[str, ...]
    place: Place | None = None

    @property
    def pitfall(self) -> str:
        """The name of the pitfall whose page says `probes:` with this kind; else the kind."""
        return pitfalls.probed().get(self.kind, self.kind)

    @property
    def says(self) -> str:
        return self.text.says()


@dataclass(frozen=True)
class Skipped:
    """A probe that could not be run, and why."""

    probe: str
    text: Text

    @property
    def why(self) -> str:
        return self.text.says()


@dataclass(frozen=True)
class Report:
    """All that the probes of one call have shown; `findings` without the notes."""

    outcomes: tuple[Outcome, ...] = ()
    everything: tuple[Finding, ...] = ()
    seconds: float = 0.0
    refusal: Text | None = None

    @property
    def findings(self) -> tuple[Finding, ...]:
        return tuple(each for each in self.everything if each.confidence != "note")

    @property
    def notes(self) -> tuple[Finding, ...]:
        return tuple(each for each in self.everything if each.confidence == "note")

    @property
    def skipped(self) -> tuple[Skipped, ...]:
        if self.refusal is not None:
            return (Skipped("all", self.refusal),)
        return tuple(
            Skipped(each.probe, each.seen)
            for each in self.outcomes
            if each.verdict == "skipped" and each.seen is not None
        )

    @property
    def refused(self) -> str:
        """Why nothing was probed; empty otherwise."""
        return self.refusal.says() if self.refusal is not None else ""

    @property
    def held(self) -> tuple[str, ...]:
        return tuple(each.probe for each in self.outcomes if each.verdict == "held")
