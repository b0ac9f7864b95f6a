"""Cuts the part of a storage out that is in use."""

from __future__ import annotations

from collections.abc import Mapping

from keng.ckpt.nodes import Place, Storage, Tensor
from keng.ckpt.writing.contents import Made, pieces_between


class Compact:
    """A change of tensors: of a storage that is used in part, that part alone. Views still share it."""

    def __init__(self, found: Mapping[int, tuple[Storage, int, int]]) -> None:
        self.found = found
        self._made: dict[int, Storage] = {}

    def __call__(self, tensor: Tensor) -> Tensor:
        if id(tensor.storage) not in self.found:
            return tensor
        storage, start, stop = self.found[id(tensor.storage)]
        start -= start % tensor.itemsize
        key = id(storage)
        if key not in self._made:
            self._made[key] = _cut(storage, start, stop)
        return tensor.but(storage=self._made[key], offset=tensor.offset - start // tensor.itemsize)


def _cut(storage: Storage, start: int, stop: int) -> Storage:
    place, count = storage.place, stop - start
    if place is not None and place.packed is None:
        there = Place(place.file, place.start + start, min(count, max(0, place.nbytes - start)))
        return Storage(storage.key, storage.dtype, count, storage.device, there)
    fill = lambda c: pieces_between(c, storage, start, stop)  # noqa: E731
    return Made(storage.key, storage.dtype, count, storage.device, fill)
