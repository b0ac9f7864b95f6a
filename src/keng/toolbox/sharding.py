"""Streams that several workers and ranks read, each record once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from torch.utils.data import IterableDataset, get_worker_info

from keng.toolbox.ranks import place

Record = TypeVar("Record", covariant=True)


class ShardedIterable(IterableDataset[Record]):
    """A stream of which every worker of every rank reads its own part: `read(shard, shards)` yields
    the records of one part of `shards`. For a list of files, or for records that are cheap to skip:

        def read(shard: int, shards: int) -> Iterator[str]:
            for file in files[shard::shards]:
                yield from open(file)


        loader = DataLoader(ShardedIterable(read), batch_size=64, num_workers=4)

    Without this each worker reads everything, and each record comes once per worker and rank. The
    rank is that of the process that makes the dataset (the process group's, or `RANK` of the
    environment), for spawned workers have no process group. Ranks may get different numbers of
    batches; training that reduces gradients over ranks then ends by
    `torch.distributed.algorithms.join.Join`, or hangs.

    Raises: TypeError where `read` cannot be called.
    """

    def __init__(self, read: Callable[[int, int], Iterable[Record]]) -> None:
        if not callable(read):
            raise TypeError(
                f"`read` is to be called with shard and shards, not {type(read).__name__}"
            )
        self.read = read
        self.rank, self.ranks = place()

    def __iter__(self) -> Iterator[Record]:
        worker = get_worker_info()
        at, workers = (worker.id, worker.num_workers) if worker else (0, 1)
        return iter(self.read(self.rank * workers + at, self.ranks * workers))
