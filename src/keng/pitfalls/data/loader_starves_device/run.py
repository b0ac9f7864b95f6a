"""A running program: the training loop waits for its data."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import StarvedLoop

MUCH = 0.5


FELT = 0.5
"""Seconds waited in all. A program that is over sooner is no worse for it."""


@watches("loader.starves")
def waits_for_data(loop: StarvedLoop) -> Hits:
    if loop.share < MUCH or loop.waited * loop.batches < FELT:
        return
    spare = loop.cores - loop.workers
    if not loop.workers:
        cure = f"num_workers=0 makes batches between the steps; {loop.cores} cores are there"
    elif spare > 0:
        cure = f"{loop.workers} workers are not enough; {loop.cores} cores are there"
    else:
        cure = f"{loop.workers} workers on {loop.cores} cores: each sample must cost less"
    says = f"the loop spends {loop.share:.0%} of its time waiting for data"
    yield loop.hit(f"{says}: {cure}", waited=loop.waited, worked=loop.worked, workers=loop.workers)
