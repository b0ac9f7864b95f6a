"""The files of one checkpoint, open while it is read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from types import TracebackType

from keng.ckpt.byte_source import Source, opened
from keng.ckpt.formats.content import content
from keng.ckpt.pickle.budget import Ledger

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keng.ckpt.aliases import Format


class Files:
    """`seen` are the paths that were read."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self.seen: dict[str, int] = {}
        self._stack = ExitStack()
        self._last: tuple[str, Source] | None = None

    def __enter__(self) -> Files:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stack.close()

    @contextmanager
    def opened(self, path: str) -> Iterator[Source]:
        """Raises OSError. The file that was read last stays open, for those that hold many pieces."""
        if self._last is None or self._last[0] != path:
            self._stack.close()
            self._last = path, self._stack.enter_context(opened(path))
            if path not in self.seen:
                self.seen[path] = self._last[1].size
                self.ledger.allow(self.seen[path])
        yield self._last[1]

    def content(self, path: str, start: int = 0, count: int | None = None) -> tuple[Format, Any]:
        """What a file, or a stretch of it, holds. Raises OSError; what is broken is in the ledger."""
        with self.opened(path) as source:
            whole = count is None
            return content(source if whole else source.part(start, count or 0), self.ledger)
