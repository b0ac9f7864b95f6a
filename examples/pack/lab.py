"""The library of a laboratory, whose mistakes the pack `lab_pits` knows."""

from __future__ import annotations

import torch
from torch.utils.data import DataLoader, Dataset


def make_loader(
    dataset: Dataset, shard: int = 0, shards: int = 1, seed: int | None = None
) -> DataLoader:
    """Shuffled batches of one shard. Without a `seed` each process draws its own order."""
    if not 0 <= shard < shards:
        raise ValueError(f"shard {shard} of {shards}: shards count from 0")
    seed = torch.seed() if seed is None else seed
    order = torch.randperm(len(dataset), generator=torch.Generator().manual_seed(seed))
    return DataLoader(dataset, batch_size=4, sampler=order[shard::shards].tolist())
