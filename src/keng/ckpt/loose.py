"""Views of large storages: torch.save writes all of the storage that a tensor lies in."""

from __future__ import annotations

from collections.abc import Mapping

from keng.ckpt.checkpoint import Checkpoint
from keng.ckpt.nodes import SIZES, Storage

TYPE_CHECKING = False
if TYPE_CHECKING:
    Loose = Mapping[int, tuple[Storage, int, int]]

WORTH = 4096
"""Bytes of a storage that are worth a word."""


def loose(checkpoint: Checkpoint) -> dict[int, tuple[Storage, int, int]]:
    """Storages of which the tensors use less than half, by id, with the first and last byte that they use: a
    view of a large tensor is saved with all of it."""
    used: dict[int, tuple[Storage, int, int]] = {}
    for tensor in checkpoint.tensors.values():
        if (
            tensor.storage.nbytes < WORTH
            or tensor.parts
            or not tensor.numel
            or tensor.dtype not in SIZES
            or tensor.wraps
        ):
            continue
        start, stop = tensor.offset * tensor.itemsize, tensor.reach
        _, least, most = used.get(id(tensor.storage), (tensor.storage, start, stop))
        used[id(tensor.storage)] = tensor.storage, min(least, start), max(most, stop)
    return {key: each for key, each in used.items() if 2 * (each[2] - each[1]) < each[0].nbytes}
