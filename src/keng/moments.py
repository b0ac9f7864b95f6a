"""What facets are shown: plain objects, made by the engines, that hold no torch and need none.

Watchers see moments of a running program, named in `MOMENTS`; explainers see a `Failure`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from keng.model import Evidence, Fix, Hit, Span

MOMENTS: dict[str, type] = {}
"""Name of a moment, as `@pitfall.watches` takes it -> the class that is shown."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame of a traceback, outermost first. `user` tells the user's own files from libraries'."""

    path: str
    line: int
    function: str
    text: str
    user: bool


@dataclass(frozen=True, slots=True)
class Operand:
    """A tensor met in a live frame, by the name it has there. Its values are never kept."""

    name: str
    shape: tuple[int, ...]
    dtype: str
    device: str
    requires_grad: bool
    is_leaf: bool


@dataclass(frozen=True, slots=True)
class Layer:
    """The module whose forward raised: its path in the model as the user names it (`net.encoder.fc`),
    its class, and the settings that its constructor took (`in_features`, ...)."""

    path: str
    kind: str
    settings: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Live:
    """What only the live exception can tell: the operands of the failing line, and the layer."""

    operands: tuple[Operand, ...] = ()
    layer: Layer | None = None


@dataclass(frozen=True, slots=True)
class Failure:
    """An error as read from a text, or caught alive. `groups` are the named groups of the pattern
    that matched, `text` the whole normalized text, `place` the line of the user's code that matters
    most."""

    kind: str
    message: str
    text: str
    groups: Mapping[str, str]
    frames: tuple[Frame, ...] = ()
    place: Span | None = None
    live: Live = field(default_factory=Live)

    def hit(
        self, says: str, fix: Fix | None = None, where: Span | None = None, sure: bool = True, **evidence: Any
    ) -> Hit:
        facts: Evidence = evidence
        return Hit(says, where or self.place, facts, fix, sure)
