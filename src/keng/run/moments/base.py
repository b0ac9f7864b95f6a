"""What all moments have in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from keng._util.record import Record
from keng.model import Fix, Hit, Span

MOMENTS: dict[str, type] = {}
"""Name of a moment, as `@pitfall.watches` takes it -> the class that is shown."""

Class = TypeVar("Class", bound=type)


def moment(name: str) -> Callable[[Class], Class]:
    def register(kind: Class) -> Class:
        MOMENTS[name] = kind
        return kind

    return register


class Moment(Record):
    """Something that has just happened, while it can still be asked about.

    `step` counts optimizer steps from 1. What is cheap is a field; what is dear is a property that
    asks the runtime engine when a watcher first wants it, and keeps the answer for the others. `ask`
    is the engine's side of it: no watcher touches it.
    """

    step: int
    ask: Any

    def hit(
        self,
        says: str,
        sure: bool = True,
        where: Span | None = None,
        fix: Fix | None = None,
        **evidence: Any,
    ) -> Hit:
        """A hit at the line of the user's own code that is running now."""
        return Hit(says, where or self.ask.place(), {"step": self.step, **evidence}, fix, sure)
