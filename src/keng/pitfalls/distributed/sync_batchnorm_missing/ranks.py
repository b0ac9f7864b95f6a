"""The ranks of a job: batch norm in DistributedDataParallel sees one rank's samples only."""

from __future__ import annotations

from keng.model import Hits
from keng.ranks.reports import Ranks, first_of
from keng.rules import compares

FEW = 16
"""Samples on each rank. Below this the error of batch norm grows fast (Wu and He 2018, figure 1)."""


@compares
def few_samples_each(ranks: Ranks) -> Hits:
    for replica in ranks.replicated:
        if not replica.normed or not 0 < replica.samples < FEW:
            continue
        samples = f"{replica.samples} sample{'s' * (replica.samples > 1)}"
        says = f"{first_of(replica.normed)} of `{replica.name}` sees {samples} on each of {ranks.world} ranks, not all of them"
        yield ranks.hit(says, replica.where)
