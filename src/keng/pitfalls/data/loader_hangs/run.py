"""A running program: the DataLoader waits for a worker that gives nothing."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import StalledLoader

LONG = 10
"""Seconds in which a batch comes, where nothing is wrong."""


@watches("loader.stalled")
def no_batch_comes(loader: StalledLoader) -> Hits:
    if loader.seconds < LONG and not loader.gives_up:
        return
    workers = loader.workers
    at = ", ".join(f"worker {w.pid} at {w.doing}" for w in workers if w.doing)
    idle = sum(worker.idle for worker in workers)
    does = f"{idle} of {len(workers)} workers do nothing" if idle else "the workers compute"
    says = f"no batch for {loader.seconds:.1f} seconds; {does}"
    yield loader.hit(f"{says}: {at}" if at else says, sure=idle > 0, idle=idle)
