"""What all moments have in common."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from keng.model import Fix, Hit, Span

MOMENTS: dict[str, type] = {}
"""Name of a moment, as `@pitfall.watches` takes it -> the class that is shown."""

Class = TypeVar("Class", bound=type)


if TYPE_CHECKING:
    from typing_extensions import dataclass_transform
else:
    # typing has it since 3.11; only type checkers look at it
    def dataclass_transform(**_: bool) -> Callable[[Class], Class]:
        return lambda decorator: decorator


@dataclass_transform(frozen_default=True)
def record(kind: Class) -> Class:
    """A dataclass that has no more than its `__init__`. `keng check` imports every unit, and with them the
    moments that they watch, of which it makes none: the methods of sixty frozen ones, which nobody
    calls, were a quarter of its start. Type checkers hold them to be frozen."""
    dataclass(eq=False, repr=False)(kind)  # it is changed, and no other
    return kind


@dataclass_transform(frozen_default=True)
def moment(name: str) -> Callable[[Class], Class]:
    def register(kind: Class) -> Class:
        MOMENTS[name] = record(kind)
        return kind

    return register


@record
class Moment:
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
