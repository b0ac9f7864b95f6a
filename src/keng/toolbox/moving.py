"""Batches on their way to a device."""

from __future__ import annotations

import copy
import dataclasses
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from typing import Any, Generic, TypeVar

import torch

Batch = TypeVar("Batch")


def move_to(batch: Batch, device: torch.device | str | int) -> Batch:
    """A batch with all its tensors on a device, of the same shapes, dtypes and memory formats: in dicts,
    lists, tuples, sets, named tuples and dataclasses, however deep, and whatever has a `to(device)` of its
    own (PackedSequence, BatchEncoding). What holds no tensor stays the same object; containers are
    copied, never changed.

    Copies from pinned memory do not wait (`DataLoader(..., pin_memory=True)`); copies to the CPU do,
    for the host may read them at once. Raises: RuntimeError for a device that torch does not know.
    """
    target = torch.device(device)
    return _moved(batch, target, non_blocking=target.type != "cpu")  # type: ignore[no-any-return]


def _moved(batch: Any, device: torch.device, non_blocking: bool) -> Any:
    if isinstance(batch, torch.Tensor):
        return batch.to(device, non_blocking=non_blocking)
    if isinstance(batch, type):
        return batch
    if hasattr(batch, "to"):
        return batch.to(device)
    if isinstance(batch, Mapping):
        moved = {key: _moved(value, device, non_blocking) for key, value in batch.items()}
        return _like(batch, moved)
    if isinstance(batch, tuple) and hasattr(batch, "_fields"):
        return type(batch)(*(_moved(value, device, non_blocking) for value in batch))
    if isinstance(batch, (tuple, list, set, frozenset)):
        return type(batch)(_moved(value, device, non_blocking) for value in batch)
    names = _fields(batch)
    twin = copy.copy(batch) if names else batch
    for name in names:  # also of a frozen one
        object.__setattr__(twin, name, _moved(getattr(batch, name), device, non_blocking))
    return twin


def _fields(batch: Any) -> list[str]:
    """The names of the fields of a dataclass."""
    return (
        [each.name for each in dataclasses.fields(batch)] if dataclasses.is_dataclass(batch) else []
    )


def _like(batch: Mapping[Any, Any], moved: dict[Any, Any]) -> Any:
    """Keeps what a kind of dict knows next to its items (the factory of a defaultdict)."""
    if type(batch) is dict:
        return moved
    if not isinstance(batch, MutableMapping):
        return type(batch)(moved)  # type: ignore[call-arg]
    twin: Any = copy.copy(batch)
    twin.update(moved)
    return twin


class _Prefetched(Generic[Batch]):
    def __init__(self, loader: Iterable[Batch], device: torch.device) -> None:
        self.loader = loader
        self.device = device

    def __len__(self) -> int:
        return len(self.loader)  # type: ignore[arg-type]

    def __iter__(self) -> Iterator[Batch]:
        if self.device.type != "cuda":
            yield from (move_to(batch, self.device) for batch in self.loader)
            return
        stream = torch.cuda.Stream(self.device)
        copied: deque[Batch] = deque()
        failure = None
        try:
            for batch in self.loader:
                with torch.cuda.stream(stream):
                    copied.append(move_to(batch, self.device))
                if len(copied) > 1:
                    yield _handed_over(copied.popleft(), stream)
        except Exception as error:
            failure = error  # the batch before it is still to come
        for batch in copied:
            yield _handed_over(batch, stream)
        if failure is not None:
            raise failure


def prefetch(loader: Iterable[Batch], device: torch.device | str | int) -> _Prefetched[Batch]:
    """The batches of a loader on a device, the same and in the same order, each copied while the one
    before is used. It can be iterated over again and has the loader's length.

    On CUDA the copy runs on a stream of its own; it overlaps with computing only from pinned memory
    (`DataLoader(..., pin_memory=True)`). One batch more lies on the device. An exception of the
    loader comes at its place, after the batches before it. On other devices the batches are moved
    as they come.
    """
    return _Prefetched(loader, torch.device(device))


def _handed_over(batch: Batch, stream: torch.cuda.Stream) -> Batch:
    """The batch, for use on the present stream: that waits for the copy, and the allocator, which
    knows only the stream a tensor was made on, is told not to reuse its memory before."""
    current = torch.cuda.current_stream(stream.device)
    current.wait_stream(stream)
    for tensor in _tensors(batch):
        tensor.record_stream(current)
    return batch


def _tensors(batch: Any) -> Iterator[torch.Tensor]:
    if isinstance(batch, torch.Tensor):
        yield batch
    elif isinstance(batch, Mapping):
        for value in batch.values():
            yield from _tensors(value)
    elif isinstance(batch, (tuple, list, set, frozenset)):
        for value in batch:
            yield from _tensors(value)
    for name in _fields(batch):
        yield from _tensors(getattr(batch, name))
