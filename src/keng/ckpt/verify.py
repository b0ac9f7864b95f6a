"""Whether a checkpoint is whole: every tensor within its storage, every storage in its file, every CRC
right."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from itertools import islice

from keng.ckpt.checkpoint import Checkpoint
from keng.ckpt.nodes import SIZES, Path, Storage, Tensor
from keng.ckpt.tree import DEEPEST, dotted

PIECE = 1 << 20
MOST = 1000
Done = Callable[[int, int], object]


def outside(checkpoint: Checkpoint) -> Iterator[str]:
    """The first tensors that do not fit into their storage, and what is nested too deep to be checked;
    nothing is read for that. What a storage lacks in the file was told by its reader."""
    if checkpoint.too_deep:
        yield f"it is nested deeper than {DEEPEST} levels, and was not read below"
    yield from islice(_too_large(checkpoint), MOST)


def _too_large(checkpoint: Checkpoint) -> Iterator[str]:
    for path, tensor in checkpoint.tensors.items():
        if tensor.parts or not _has_memory(tensor.storage):
            continue
        if tensor.reach > tensor.storage.nbytes:
            says = f"`{dotted(path)}` of shape {list(tensor.shape)} reaches to byte {tensor.reach}"
            yield f"{says} of a storage of {tensor.storage.nbytes}"


def _has_memory(storage: Storage) -> bool:
    return storage.device != "meta"


def _there(storage: Storage) -> int:
    if storage.inline is not None:
        return len(storage.inline)
    return min(storage.nbytes, storage.place.nbytes) if storage.place else 0


def readable(checkpoint: Checkpoint) -> dict[Path, Tensor]:
    """The tensors all of whose bytes are in the file."""
    return {path: tensor for path, tensor in checkpoint.tensors.items() if _is_there(tensor)}


def _is_there(tensor: Tensor) -> bool:
    if tensor.parts:
        return all(_is_there(part.tensor) for part in tensor.parts)
    return tensor.dtype in SIZES and tensor.reach <= _there(tensor.storage)


def wrong_crcs(checkpoint: Checkpoint, done: Done = lambda n, of: None) -> Iterator[str]:
    """Storages whose bytes are others than were written; reads them all."""
    with_crc = [s for s in checkpoint.storages if s.crc and s.place]
    for n, storage in enumerate(with_crc):
        done(n, len(with_crc))
        try:
            crc = _crc(checkpoint, storage)
        except (ValueError, OSError, zlib.error):
            continue  # it is short, which was reported
        if crc != storage.crc:
            yield f"the bytes of storage {storage.key} are others than were written (CRC)"


def _crc(checkpoint: Checkpoint, storage: Storage) -> int:
    size = storage.place.nbytes if storage.place else 0
    step = PIECE if storage.place and storage.place.packed is None else max(size, 1)
    crc = 0
    for start in range(0, size, step):
        crc = zlib.crc32(checkpoint.window(storage, start, min(start + step, size)), crc)
    return crc
