"""Classes whose annotations are their fields, made at next to no cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from typing_extensions import dataclass_transform
else:
    # typing has it since 3.11; only type checkers look at it
    def dataclass_transform(**_):
        return lambda kind: kind


@dataclass_transform(frozen_default=True)
class Record:
    """As a frozen dataclass, and without methods of its own: to compile them takes a dataclass half a
    millisecond, and a command loads a hundred such classes of which it makes a few. What needs neither
    cached properties nor subclasses is a NamedTuple instead. Type checkers hold the fields to be frozen and
    see to the arguments."""

    _fields: ClassVar[tuple[str, ...]] = ()
    _defaults: ClassVar[dict[str, Any]] = {}

    def __init_subclass__(cls) -> None:
        own = cls.__annotations__
        cls._fields = (*cls._fields, *own)
        cls._defaults = cls._defaults | {n: getattr(cls, n) for n in own if hasattr(cls, n)}

    def __init__(self, *given: Any, **named: Any) -> None:
        self.__dict__.update(
            self._defaults, **dict(zip(self._fields, given, strict=False)), **named
        )
