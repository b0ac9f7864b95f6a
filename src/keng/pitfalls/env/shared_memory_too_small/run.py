"""A running program: dataLoader workers run out of shared memory."""

from __future__ import annotations

import os

from keng.model import Hits, say
from keng.rules import watches
from keng.run.facts.loader import LoaderStarted
from keng.run.state import tensors_in

SHARED = "/dev/shm"


@watches(LoaderStarted)
def more_than_there_is(loader: LoaderStarted) -> Hits:
    needs, free = _in_flight(loader), _free()
    if loader.workers and free and needs > free:
        yield loader.hit(
            say(
                "more-than-free",
                workers=loader.workers,
                needs=f"{needs / 2**20:.0f}",
                free=f"{free / 2**20:.0f}",
            )
        )


def _in_flight(loader: LoaderStarted) -> int:
    """Bytes of the batches that workers may have ready at once."""
    iterator = loader.iterator
    size = sum(t.numel() * t.element_size() for t in tensors_in(loader.batch))
    ready = int((getattr(iterator, "_prefetch_factor", 0) or 0) * iterator._num_workers)
    try:
        return size * min(ready, len(iterator._index_sampler))
    except TypeError:  # a sampler that does not know its length
        return size * ready


def _free() -> int:
    """Bytes of shared memory; 0 where that is not known."""
    try:
        status = os.statvfs(SHARED)
    except OSError:
        return 0
    return status.f_bavail * status.f_frsize
