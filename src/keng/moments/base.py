"""What all moments have in common."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from threading import RLock
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


_MAKING = RLock()


@dataclass_transform(frozen_default=True)
def frozen(kind: Class) -> Class:
    """`dataclass(frozen=True)`, made when the first object is. A unit names the moments that it
    watches, and `keng check` imports every unit and makes no moment: a quarter of its start went into
    the methods of classes that it has no use for."""
    made = False

    def new(cls: type, *_: Any, **__: Any) -> Any:
        nonlocal made
        if not made:
            with _MAKING:
                made = made or bool(dataclass(frozen=True)(kind))
        return object.__new__(cls)

    kind.__new__ = staticmethod(new)  # type: ignore[assignment]
    return kind


def moment(name: str) -> Callable[[Class], Class]:
    def register(kind: Class) -> Class:
        MOMENTS[name] = kind
        return kind

    return register


@dataclass(frozen=True)
class Moment:
    """Something that has just happened, while it can still be asked about.

    `step` counts optimizer steps from 1. What is cheap is a field; what is dear is a property that
    asks the runtime engine when a watcher first wants it, and keeps the answer for the others. `ask`
    is the engine's side of it: no watcher touches it.
    """

    step: int
    ask: Any = field(repr=False, compare=False)

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
