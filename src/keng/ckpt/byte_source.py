"""Where bytes are read from: a file, or a stretch of one."""

from __future__ import annotations

import io
import mmap
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from keng.ckpt.nodes import Place, Storage
from keng.ckpt.pickle.budget import Broken
from keng.ckpt.places import open_raw

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, BinaryIO

LONG = 4096
"""Bytes of an object that is left where it lies."""
LARGEST_PICKLE = 512 * 1024 * 1024
"""Bytes that are read into memory at once."""


class Source:
    """`base` is where it begins in the file; offsets count from there. `data` is all of the file by
    index and slice, while it is mapped; of what lies in memory alone, its bytes."""

    def __init__(
        self, file: BinaryIO, path: str, size: int, base: int = 0, data: Any = None
    ) -> None:
        self.file, self.path, self.size, self.base, self.data = file, path, size, base, data

    def read(self, start: int, count: int) -> bytes:
        """Fewer bytes where the source ends before. Raises OSError."""
        count = min(count, self.size - start)
        if start < 0 or count <= 0:
            return b""
        self.file.seek(self.base + start)
        piece = self.file.read(count)
        if len(piece) == count:
            return piece
        pieces = []
        while piece:  # a raw file may give less than it is asked for
            pieces.append(piece)
            count -= len(piece)
            piece = self.file.read(count)
        return b"".join(pieces)

    def whole(self, start: int, count: int) -> bytes:
        """For a pickle or a header. Raises Broken where that is too much for memory."""
        if count > LARGEST_PICKLE:
            raise Broken(f"a header or pickle of {count} bytes")
        return self.read(start, count)

    def part(self, start: int, count: int) -> Source:
        return Source(self.file, self.path, count, self.base + start, self.data)

    def put(self, storage: Storage, start: int, count: int, packed: int | None = None) -> None:
        """Tells a storage where its bytes lie."""
        if isinstance(self.data, bytes):
            begin = self.base + start
            storage.inline = self.data[begin : begin + count] if packed is None else None
        else:
            storage.place = Place(self.path, self.base + start, count, packed)

    @contextmanager
    def mapped(self) -> Iterator[Any]:
        """All bytes of the file, of which only those are read that are touched."""
        if self.data is not None:
            yield self.data
            return
        if (paged := self._paged()) is not None:
            yield paged
            return
        with mmap.mmap(self.file.fileno(), 0, access=mmap.ACCESS_READ) as self.data:
            try:
                yield self.data
            finally:
                self.data = None

    def _paged(self) -> Any:
        """In the place of a mapped file, one that is read by ranges; None on a disk."""
        if not hasattr(self.file, "ahead"):
            return None
        from keng.ckpt.remote import Paged

        return Paged(self.file)  # type: ignore[arg-type]

    def ahead(self, spans: Iterable[tuple[int, int]]) -> None:
        """Says what will be read soon, which a remote file fetches at once. Raises OSError."""
        if hasattr(self.file, "ahead"):
            self.file.ahead([(self.base + start, self.base + stop) for start, stop in spans])


def in_memory(data: bytes, path: str) -> Source:
    """What the file at a path holds in another form."""
    return Source(io.BytesIO(data), path, len(data), data=data)


class Stretch(Storage):
    """A long bytes object of a pickle, left where it lies."""

    __slots__ = ("source",)

    def __init__(self, source: Source) -> None:
        super().__init__("", "uint8", source.size)
        self.source = source
        source.put(self, 0, source.size)


@contextmanager
def opened(path: str) -> Iterator[Source]:
    """Raises OSError."""
    with open_raw(path) as file:
        size = file.seek(0, io.SEEK_END)
        yield Source(file, path, size)
