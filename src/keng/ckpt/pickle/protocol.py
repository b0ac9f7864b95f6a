"""The pickle machine as its opcodes see it: for the type checker, which alone imports this."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from keng.ckpt.byte_source import Source, Stretch
    from keng.ckpt.pickle.budget import Ledger


class Vm(Protocol):
    """The pickle machine as its opcodes see it."""

    data: Any
    at: int
    stop: int
    ledger: Ledger
    file: str
    persistent: Callable[[Any], Any]
    source: Source | None
    stack: list[Any]
    marked: list[list[Any]]
    memo: dict[int, Any]
    protocol: int
    framed: int

    def unframed(self, at: int) -> int: ...
    def take(self, count: int) -> bytes: ...
    def long(self, count: int) -> bytes | Stretch: ...
    def another(self) -> Any: ...
    def number(self, width: int) -> int: ...
    def line(self) -> bytes: ...
    def digits(self) -> int: ...
    def pop_mark(self) -> list[Any]: ...
    def text(self, piece: bytes) -> str: ...
    def import_(self, module: str, name: str) -> None: ...
    def call(self, function: Any, args: Any, how: Callable[..., Any] = ...) -> None: ...
