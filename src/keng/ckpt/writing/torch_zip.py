"""The zip that torch.save writes since 1.6: entries stored as they are, their bytes at multiples of 64."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from typing import Any, BinaryIO

from keng._util.atomic import aside
from keng.ckpt.checkpoint import Checkpoint
from keng.ckpt.writing.contents import PAGE, Advance, in_step, put
from keng.ckpt.writing.values import Change, Pickler, Written

ALIGNED = 64
LARGE = 0xFFFFFFFF
ANY_TIME = 0x00210000
"""The first of January 1980, as zip has it."""


def write(
    path: str,
    root: Any,
    checkpoint: Checkpoint,
    advance: Advance = lambda count: None,
    change: Change = lambda tensor: tensor,
) -> Written:
    """Writes the tree with the bytes of its tensors. `change` is asked for what stands in the file for
    each tensor. Raises values.Refused, OSError, ValueError."""
    pickler = Pickler(change)
    pickle = pickler.dump(root)
    with aside(path) as out:
        archive = Archive(out)
        archive.add("data.pkl", pickle)
        archive.add("byteorder", checkpoint.byteorder.encode())
        for key, storage in pickler.storages.items():
            fill = lambda storage=storage: put(out, checkpoint, storage, advance)  # noqa: E731
            archive.stream(f"data/{key}", storage.nbytes, fill, in_step(storage))
        archive.add("version", b"3\n")
        archive.end()
    return pickler.written


class Archive:
    """Writes to a file that can be sought in: the CRC of an entry is known when its bytes are there."""

    def __init__(self, out: BinaryIO) -> None:
        self.out = out
        self.directory = bytearray()
        self.count = 0

    def add(self, name: str, data: bytes) -> None:
        def fill() -> int:
            self.out.write(data)
            return zlib.crc32(data)

        self.stream(name, len(data), fill)

    def stream(
        self, name: str, nbytes: int, fill: Callable[[], int], at: int | None = None
    ) -> None:
        """`fill` writes `nbytes` bytes, from the place `at` in a page where one is given, and gives their
        CRC-32. Raises ValueError where it did not."""
        entry, start = f"archive/{name}".encode(), self.out.tell()
        header = _local(entry, nbytes, start, at)
        self.out.write(header)
        crc = fill()
        end = self.out.tell()
        if end != start + len(header) + nbytes:
            raise ValueError(f"{name} has another size than is said")
        self.out.seek(start + 14)
        self.out.write(struct.pack("<I", crc))
        self.out.seek(end)
        self.directory += _central(entry, nbytes, crc, start)
        self.count += 1

    def end(self) -> None:
        start, size = self.out.tell(), len(self.directory)
        self.out.write(self.directory)
        if start >= LARGE or size >= LARGE or self.count >= 0xFFFF:
            self.out.write(_end64(self.count, size, start))
        count, size, start = min(self.count, 0xFFFF), min(size, LARGE), min(start, LARGE)
        self.out.write(struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, count, count, size, start, 0))


def _local(name: bytes, nbytes: int, start: int, at: int | None) -> bytes:
    """Without its CRC."""
    large = struct.pack("<2H2Q", 1, 16, nbytes, nbytes) if nbytes >= LARGE else b""
    size = min(nbytes, LARGE)
    bare = start + 30 + len(name) + len(large) + 4
    padding = -bare % ALIGNED if at is None or at % ALIGNED else (at - bare) % PAGE
    extra = large + struct.pack("<2sH", b"FB", padding) + b"Z" * padding
    fields = (
        b"PK\3\4",
        45 if large else 20,
        0,
        0,
        ANY_TIME,
        0,
        size,
        size,
        len(name),
        len(extra),
    )
    return struct.pack("<4s3H4I2H", *fields) + name + extra


def _central(name: bytes, nbytes: int, crc: int, start: int) -> bytes:
    wide = [number for number in (nbytes, nbytes, start) if number >= LARGE]
    extra = struct.pack(f"<2H{len(wide)}Q", 1, 8 * len(wide), *wide) if wide else b""
    size, at, version = min(nbytes, LARGE), min(start, LARGE), 45 if wide else 20
    fields = (
        version,
        version,
        0,
        0,
        ANY_TIME,
        crc,
        size,
        size,
        len(name),
        len(extra),
        0,
        0,
        0,
        0,
        at,
    )
    return struct.pack("<4s4H4I5H2I", b"PK\1\2", *fields) + name + extra


def _end64(count: int, size: int, start: int) -> bytes:
    record = struct.pack("<4sQ2H2I4Q", b"PK\6\6", 44, 45, 45, 0, 0, count, count, size, start)
    return record + struct.pack("<4sIQI", b"PK\6\7", 0, start + size, 1)
