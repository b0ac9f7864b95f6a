"""Seeds for every source of random numbers that a training run has."""

from __future__ import annotations

import os
import random
from operator import index

import torch

from keng.toolbox.ranks import place

LARGEST = 2**32
"""NumPy takes seeds below this."""


def seed(number: int, *, rank: int | None = None, deterministic: bool = False) -> torch.Generator:
    """Seeds Python, NumPy (where it is installed), and PyTorch on the CPU and on every device.

    Each rank gets numbers of its own, so that augmentation and dropout differ between ranks; models
    that must begin alike are made alike by DistributedDataParallel. `rank` is that of the process: in
    its process group, or as `RANK` of the environment says, where it is not given.

    Returns the generator to hand to `DataLoader(..., generator=...)`: the order of the samples, and
    the seeds of the workers (PyTorch seeds Python, NumPy and itself in each), then depend on nothing
    that ran before.

    `deterministic` asks for the same bits in every run as well: deterministic algorithms (what has
    none raises RuntimeError when called), no autotuning by cuDNN, and a cuBLAS workspace of fixed
    size, for which it must be called before CUDA is first used. Another machine or another version
    of PyTorch may still compute other bits: https://pytorch.org/docs/stable/notes/randomness.html

    Raises: ValueError where the number or the rank is negative, or their sum has more than 63 bits;
    TypeError where one is no whole number.
    """
    first, at = index(number), place()[0] if rank is None else index(rank)
    if min(first, at) < 0 or first + at >= 2**63:
        raise ValueError(f"a seed and a rank are not negative, and below 2 ** 63: {number}, {at}")
    own = first + at
    random.seed(own)
    _seed_numpy(own % LARGEST)
    torch.manual_seed(own)
    if deterministic:
        os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
        torch.backends.cudnn.benchmark = False
        torch.use_deterministic_algorithms(True)
    return torch.Generator().manual_seed(own)


def _seed_numpy(own: int) -> None:
    try:
        import numpy as np
    except ImportError:
        return
    np.random.seed(own)
