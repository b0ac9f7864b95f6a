"""The bytes of storages, as they lie in a file or made of others, a buffer at a time."""

from __future__ import annotations

import math
import os
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from io import FileIO
from itertools import chain
from typing import Any, BinaryIO, TypeAlias

from keng.ckpt.checkpoint import Checkpoint
from keng.ckpt.nodes import SIZES, Place, Storage, Tensor, steps

BUFFER = 4 << 20
"""Bytes."""
PAGE, IN_STEP = 4096, 1 << 20
"""Bytes. From this size on a storage is worth a page of padding."""
STRETCH, READ = 256 * 1024, 192 * 1024
"""Bytes that the system copies at once, and that are read and written at once, up to a multiple of it in the
new file: so the system takes pages for them by tens. One by one they cost half as much again, and by
hundreds it may have to look long for so many that lie together."""
Bytes: TypeAlias = bytes | bytearray | memoryview
Advance = Callable[[int], None]
"""Is told how many bytes more are written."""


class Made(Storage):
    """A storage that no file has: `pieces` gives its bytes when it is written."""

    def __init__(
        self,
        key: str,
        dtype: str,
        nbytes: int,
        device: str,
        pieces: Callable[[Checkpoint], Iterator[Bytes]],
    ) -> None:
        super().__init__(key, dtype, nbytes, device)
        self.pieces = pieces


def pieces(checkpoint: Checkpoint, storage: Storage) -> Iterator[Bytes]:
    """All bytes of a storage. Raises OSError and ValueError as Checkpoint.window does."""
    if isinstance(storage, Made):
        yield from storage.pieces(checkpoint)
        return
    for start in range(0, storage.nbytes, BUFFER):
        yield checkpoint.window(storage, start, min(start + BUFFER, storage.nbytes))


def put(out: BinaryIO, checkpoint: Checkpoint, storage: Storage, advance: Advance) -> int:
    """Writes a storage where `out` stands; gives the CRC-32 of its bytes."""
    place = storage.place if storage.place and storage.place.packed is None else None
    if storage.crc is not None and place is not None and place.nbytes == storage.nbytes:
        _copy(out, place, storage.nbytes, advance)
        return storage.crc
    crc = 0
    for piece in pieces(checkpoint, storage):
        out.write(piece)
        crc = zlib.crc32(piece, crc)
        advance(len(piece))
    return crc


def put_stretch(
    out: BinaryIO, checkpoint: Checkpoint, storage: Storage, start: int, stop: int, advance: Advance
) -> None:
    """Bytes `start:stop`, for formats that want no CRC."""
    place = storage.place
    if place is not None and place.packed is None:
        if stop > place.nbytes:
            raise ValueError(f"storage {storage.key} has {place.nbytes} of {stop} bytes")
        _copy(out, Place(place.file, place.start + start, place.nbytes), stop - start, advance)
        return
    for piece in _cut(pieces(checkpoint, storage), start, stop):
        out.write(piece)
        advance(len(piece))


def pieces_between(
    checkpoint: Checkpoint, storage: Storage, start: int, stop: int
) -> Iterator[Bytes]:
    """Bytes `start:stop` of a storage. Raises OSError and ValueError."""
    return _cut(pieces(checkpoint, storage), start, stop)


def _cut(pieces: Iterator[Bytes], start: int, stop: int) -> Iterator[Bytes]:
    at = 0
    for piece in pieces:
        cut = memoryview(piece)[max(0, start - at) : max(0, stop - at)]
        at += len(piece)
        if len(cut):
            yield cut


def in_step(storage: Storage) -> int | None:
    """The place in a page of a large storage that is copied as it lies: at the same one in the new file the
    system copies it as fast as a whole file, elsewhere it takes a third longer."""
    place = storage.place
    if place is None or place.packed is not None or storage.nbytes < IN_STEP:
        return None
    return place.start % PAGE


def _copy(out: BinaryIO, place: Place, count: int, advance: Advance) -> None:
    """From file to file. Raises ValueError where bytes are missing."""
    out.flush()
    with open(place.file, "rb", buffering=0) as file:
        file.seek(place.start)
        if (place.start - out.tell()) % PAGE == 0:
            count -= _copied(out, file, count, advance)
        _through(out, file, count, advance)


def _copied(out: BinaryIO, file: FileIO, count: int, advance: Advance) -> int:
    """By the system alone; how many bytes it has copied."""
    at = start = out.tell()
    with suppress(AttributeError, OSError):  # no Linux, or from one kind of disk to another
        while at < start + count:
            asked = min(start + count - at, STRETCH - at % STRETCH)
            done = os.copy_file_range(file.fileno(), out.fileno(), asked)
            if not done:
                break
            at += done
            advance(done)
    return at - start


def _through(out: BinaryIO, file: FileIO, count: int, advance: Advance) -> None:
    """Through one buffer."""
    buffer, at = memoryview(bytearray(min(count, READ))), out.tell()
    while count:
        done = file.readinto(buffer[: min(count, READ - at % READ)])
        if not done:
            raise ValueError(f"{file.name} ends before its tensors do")
        out.write(buffer[:done])
        at += done
        count -= done
        advance(done)


def contiguous(tensor: Tensor) -> Tensor:
    """The same values in a storage of their own, row after row."""
    nbytes = tensor.numel * SIZES[tensor.dtype]
    made = Made(tensor.storage.key, tensor.dtype, nbytes, "cpu", lambda c: _gathered(c, tensor))
    return Tensor(tensor.dtype, tensor.shape, steps(tensor.shape), 0, made, tensor.kind)


def _gathered(checkpoint: Checkpoint, tensor: Tensor) -> Iterator[Bytes]:
    """Row by row; needs its storage in memory."""
    if not tensor.numel:
        return
    size = SIZES[tensor.dtype]
    whole = memoryview(b"".join(pieces(checkpoint, tensor.storage)))
    *outer, inner = tensor.shape or (1,)
    *strides, step = tensor.stride or (1,)
    for start in _starts(outer, strides, tensor.offset):
        yield _row(whole, size, start, inner, step)


def _starts(shape: list[int], stride: list[int], at: int) -> Iterator[int]:
    if not shape:
        yield at
        return
    for n in range(shape[0]):
        yield from _starts(shape[1:], stride[1:], at + n * stride[0])


def _row(whole: memoryview, size: int, start: int, count: int, step: int) -> bytes:
    if step == 1 or count == 1:
        return bytes(whole[start * size : (start + count) * size])
    if step == 0:
        return bytes(whole[start * size : (start + 1) * size]) * count
    unit = min(size, 8)
    if size == unit:
        words: Any = whole.cast({1: "B", 2: "H", 4: "I", 8: "Q"}[unit])  # type: ignore[call-overload]
        found: bytes = words[start : start + (count - 1) * step + 1 : step].tobytes()
        return found
    return b"".join(
        bytes(whole[n * size : (n + 1) * size]) for n in range(start, start + count * step, step)
    )


def stacked(tensors: list[Tensor]) -> Tensor:
    """One after the other, along their first dimension. Raises ValueError where they do not fit."""
    first = tensors[0]
    if not first.shape or len({(tensor.dtype, tensor.shape[1:]) for tensor in tensors}) > 1:
        raise ValueError(f"what is to go into one tensor differs: {', '.join(map(_kind, tensors))}")
    shape = (sum(tensor.shape[0] for tensor in tensors), *first.shape[1:])
    nbytes = math.prod(shape) * SIZES[first.dtype]
    fill = lambda c: chain.from_iterable(rows(c, tensor) for tensor in tensors)  # noqa: E731
    made = Made(first.storage.key, first.dtype, nbytes, "cpu", fill)
    return Tensor(first.dtype, shape, steps(shape), 0, made, first.kind)


def _kind(tensor: Tensor) -> str:
    return f"{tensor.dtype} {list(tensor.shape)}"


def joined(tensor: Tensor) -> Tensor:
    """A tensor that is spread over several places, in one. Its parts are boxes of it, or, where they
    have one dimension and it has others, stretches of its elements."""
    nbytes = tensor.numel * SIZES[tensor.dtype]
    made = Made(tensor.storage.key, tensor.dtype, nbytes, "cpu", lambda c: _assembled(c, tensor))
    return Tensor(tensor.dtype, tensor.shape, steps(tensor.shape), 0, made, tensor.kind)


def _assembled(checkpoint: Checkpoint, tensor: Tensor) -> Iterator[Bytes]:
    parts = sorted(tensor.parts, key=lambda part: part.start)
    flat = len(tensor.shape) != 1 and all(len(part.start) == 1 for part in parts)
    shape = (tensor.numel,) if flat else tensor.shape
    if all(part.tensor.shape[1:] == shape[1:] for part in parts):
        at = 0
        for part in parts:
            if part.start[0] != at:
                raise ValueError(f"the parts of {tensor.storage.key} do not meet")
            at += part.tensor.shape[0]
            yield from rows(checkpoint, part.tensor)
        if at != shape[0]:
            raise ValueError(f"parts of {tensor.storage.key} are missing")
        return
    yield _boxes(checkpoint, tensor)


def rows(checkpoint: Checkpoint, tensor: Tensor) -> Iterator[Bytes]:
    """The elements of a tensor, row after row, and nothing else of its storage."""
    if tensor.parts:
        yield from _assembled(checkpoint, tensor)
        return
    if not tensor.contiguous:
        yield from _gathered(checkpoint, tensor)
        return
    start, count = tensor.offset * tensor.itemsize, tensor.nbytes
    for at in range(start, start + count, BUFFER):
        yield checkpoint.window(tensor.storage, at, min(at + BUFFER, start + count))


def _boxes(checkpoint: Checkpoint, tensor: Tensor) -> bytearray:
    """Parts cut in several dimensions: put together in memory."""
    size, step = SIZES[tensor.dtype], steps(tensor.shape)
    whole, filled = bytearray(tensor.nbytes), 0
    for part in tensor.parts:
        box = b"".join(rows(checkpoint, part.tensor))
        width = (part.tensor.shape[-1] if part.tensor.shape else 1) * size
        base = sum(n * s for n, s in zip(part.start, step, strict=True))
        starts = _starts(list(part.tensor.shape[:-1]), list(step[:-1]), base)
        for n, start in enumerate(starts):
            whole[start * size : start * size + width] = box[n * width : (n + 1) * width]
        filled += len(box)
    if filled != len(whole) or math.prod(tensor.shape) * size != len(whole):
        raise ValueError(f"parts of {tensor.storage.key} are missing")
    return whole
