"""A running program: dataLoader workers run out of shared memory."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import LoaderBegun


@watches("loader.begun")
def more_than_there_is(loader: LoaderBegun) -> Hits:
    needs, free = loader.in_flight, loader.shared_memory
    if loader.workers and free and needs > free:
        says = f"{loader.workers} workers may have {needs / 2**20:.0f} MiB of batches ready at once"
        yield loader.hit(f"{says}, and /dev/shm has {free / 2**20:.0f} MiB free")
