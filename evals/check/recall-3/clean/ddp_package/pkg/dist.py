"""Everything about ranks in one place."""
from __future__ import annotations

import functools
import os
from contextlib import contextmanager

import torch
import torch.distributed as dist


def rank() -> int:
    return dist.get_rank() if dist.is_initialized() else 0


def world() -> int:
    return dist.get_world_size() if dist.is_initialized() else 1


def local_rank() -> int:
    return int(os.environ.get("LOCAL_RANK", 0))


def rank_zero(fn):
    @functools.wraps(fn)
    def inner(*args, **kwargs):
        return fn(*args, **kwargs) if rank() == 0 else None

    return inner


@contextmanager
def zero_first():
    if rank() != 0:
        dist.barrier()
    yield
    if rank() == 0:
        dist.barrier()


def mean(value: torch.Tensor) -> torch.Tensor:
    if world() == 1:
        return value
    value = value.detach().clone()
    dist.all_reduce(value)
    return value / world()


def seed(base: int) -> None:
    torch.manual_seed(base + rank())
