"""Few numbers that stand for many."""

from __future__ import annotations

import random
import sys
import zlib
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeGuard

import torch

if TYPE_CHECKING:
    from torch import Tensor

INTEGERS = {1: torch.int8, 2: torch.int16, 4: torch.int32, 8: torch.int64}


def digest(tensor: Tensor) -> Tensor:
    """The sum of a tensor's bits as integers: int64, no dimension, on the tensor's device. Tensors of
    the same bits have the same, others hardly ever."""
    bits = torch.view_as_real(tensor) if tensor.is_complex() else tensor
    bits = bits.detach().contiguous()
    if bits.nbytes % 8:
        return bits.view(INTEGERS[bits.element_size()]).sum(dtype=torch.int64)
    if bits.storage_offset() * bits.element_size() % 8:
        bits = bits.clone()
    # Eight bytes at a time, which needs no conversion: a twelfth of the time.
    return bits.view(-1).view(torch.int64).sum()


def projection(tensor: Tensor) -> Tensor:
    """The sum of a tensor's numbers, half of them with the other sign: float64, no dimension. It is
    linear, as the plain sum is, which is 0 for many gradients whatever they are."""
    rows = tensor.detach().reshape(-1, tensor.shape[-1] if tensor.dim() else 1)
    rows = rows.to(torch.promote_types(rows.dtype, torch.float32))
    each = rows @ _signs(rows.shape[1], rows.device).to(rows.dtype)
    together: Tensor = each.double() @ _signs(rows.shape[0], rows.device)
    return together


def norm(tensor: Tensor) -> Tensor:
    """The root of the sum of the squares: float64, no dimension."""
    found: Tensor = torch.linalg.vector_norm(tensor.detach(), dtype=torch.float64)
    return found


@lru_cache(maxsize=256)
def _signs(size: int, device: torch.device) -> Tensor:
    place = torch.arange(1, size + 1, device=device)
    return ((place * 0x9E3779B1 >> 15) % 2 * 2 - 1).double()


WIDEST = 256
"""Numbers of a sample that tell it from others."""


def rows(tensors: Iterable[Tensor], size: int) -> Tensor | None:
    """A digest for each sample of a batch, of some numbers of each of its tensors; none where no tensor
    has a row for each."""
    found: Tensor | None = None
    for tensor in tensors:
        if not tensor.dim() or tensor.shape[0] != size or tensor.is_complex() or not tensor.numel():
            continue
        row = tensor.detach().reshape(size, -1)
        row = row[:, :: -(-row.shape[1] // WIDEST)].contiguous()
        words = row.view(INTEGERS[row.element_size()]).to(torch.int64)
        place = torch.arange(1, words.shape[1] + 1, device=words.device)
        each = (words * (place * 0x9E3779B97F4A7C1 | 1)).sum(dim=1)
        found = each if found is None else found * 31 + each.to(found.device)
    return found


def is_tensor(thing: object) -> TypeGuard[Tensor]:
    """Whether it is a tensor that lies here whole."""
    return isinstance(thing, torch.Tensor) and is_whole(thing)


def is_whole(tensor: Tensor) -> bool:
    """Whether all of it is here, to be read as it is: no shard, no stand-in, no packed numbers."""
    plain = type(tensor) in (torch.Tensor, torch.nn.Parameter)
    return (
        plain and tensor.layout is torch.strided and not tensor.is_quantized and not tensor.is_meta
    )


def numbers(digests: Iterable[Tensor]) -> list[int]:
    """Their values, each device waited for once."""
    by_device: dict[Any, list[tuple[int, Tensor]]] = {}
    for at, each in enumerate(digests):
        by_device.setdefault(each.device, []).append((at, each))
    values: dict[int, int] = {}
    for pairs in by_device.values():
        read = torch.stack([each for _, each in pairs]).tolist()
        values.update(zip((at for at, _ in pairs), read, strict=True))
    return [values[at] for at in sorted(values)]


def of_torch() -> int:
    """The state of torch's generators, of the CPU and of the card in use."""
    states = [torch.get_rng_state()]
    if torch.cuda.is_initialized():  # type: ignore[no-untyped-call]
        states.append(torch.cuda.get_rng_state())
    # In order: what has been drawn is counted up in one place of the state and down in another.
    return hash(tuple(word for state in states for word in state.view(torch.int64).tolist()))


def of_others() -> dict[str, int]:
    """The states of the generators of `random`, and of NumPy where the program has it."""
    _, words, kept = random.getstate()  # `gauss` makes two numbers, and keeps one
    states = {"random": hash((words, kept or 0.0))}
    if "numpy" in sys.modules:
        _, key, position, *_ = sys.modules["numpy"].random.get_state()
        states["numpy"] = zlib.crc32(key.tobytes() + bytes(str(position), "ascii"))
    return states
