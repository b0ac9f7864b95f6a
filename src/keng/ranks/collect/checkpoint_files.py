"""What a rank reports of checkpoints that it writes and reads."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Mapping
from math import prod
from socket import gethostname
from typing import Any

import torch

from keng.model import Span
from keng.ranks.collect.section import Looks, Part
from keng.ranks.reports import File, Restored
from keng.run.events import CheckpointSaved, StorageRestored
from keng.run.frames import here
from keng.run.state import RunState, tensors_in

MOST = 64
"""Files remembered; a long run saves one after another."""


class Files(Part):
    def __init__(self, run: RunState, looks: Looks) -> None:
        super().__init__(run, looks)
        self._saved: dict[str, tuple[Span | None, int, int]] = {}
        self._restored: dict[str, Span | None] = {}

    def checkpoint_saved(self, event: CheckpointSaved) -> None:
        file = event.file
        opened = None if isinstance(file, os.PathLike) else getattr(file, "name", None)
        path = opened or file
        is_file = isinstance(path, (str, os.PathLike)) and os.path.isfile(path)
        if is_file and len(self._saved) < MOST:
            shards, parts = self._shards(event.state)
            self._saved.setdefault(os.path.abspath(os.fspath(path)), (here(), shards, parts))

    def _shards(self, state: Any) -> tuple[int, int]:
        """How many tensors of a state are parts of one, and how many parts there are: DTensors, and what
        lies here of the sharded parameters of a model."""
        locals_ = {}
        for model in list(self.run.roots):
            for parameter in _parameters(model):
                if (parts := _parts(parameter)) > 1:
                    locals_[parameter.to_local().data_ptr()] = parts
        found = [
            _parts(tensor) if hasattr(tensor, "device_mesh") else locals_.get(tensor.data_ptr(), 1)
            for tensor in tensors_in(state)
        ]
        shards = [parts for parts in found if parts > 1]
        return len(shards), max(shards, default=1)

    def storage_restored(self, event: StorageRestored) -> None:
        device = event.location
        if device.startswith("cuda") and device not in self._restored:
            self._restored[device] = here()

    def draft(self) -> Callable[[], Mapping[str, Any]]:
        saved, restored = dict(self._saved), dict(self._restored)
        return lambda: {
            "saved": tuple(File(path, identity(path), *rest) for path, rest in saved.items()),
            "restored": tuple(Restored(d, own_device(), w) for d, w in restored.items()),
        }


def _parts(tensor: Any) -> int:
    """The parts of a DTensor that lie on different ranks."""
    if not hasattr(tensor, "device_mesh"):
        return 1
    mesh = tensor.device_mesh
    sizes = [mesh.size(at) for at, place in enumerate(tensor.placements) if place.is_shard()]
    return prod(sizes)


def identity(path: str) -> Hashable:
    """The same for one file, whichever machine looks at it; where it is gone, its name must do."""
    try:
        status = os.stat(path)
    except OSError:
        return (path, gethostname())
    return (path, status.st_ino)


def own_device() -> str:
    """The card of this rank: the only one it sees, or that of its local rank."""
    index = 0 if torch.cuda.device_count() == 1 else local_rank()
    return f"cuda:{index}"


def local_rank() -> int:
    return int(os.environ.get("LOCAL_RANK", os.environ.get("RANK", "0")))


def _parameters(model: Any) -> list[Any]:
    return list(model.parameters())
