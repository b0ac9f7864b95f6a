"""The ranks of a job: batch norm in DistributedDataParallel sees one rank's samples only."""

from __future__ import annotations

from keng.model import Hits, say
from keng.ranks.reports import Ranks, first_of
from keng.rules import compares

FEW = 16
"""Samples on each rank. Below this the error of batch norm grows fast (Wu and He 2018, figure 1)."""


@compares
def few_samples_each(ranks: Ranks) -> Hits:
    for replica in ranks.replicated:
        if not replica.normed or not 0 < replica.samples < FEW:
            continue
        given = {"names": first_of(replica.normed), "model": replica.name, "world": ranks.world}
        one = say("norm-sees-one-sample", **given)
        few = say("norm-sees-few-samples", samples=replica.samples, **given)
        yield ranks.hit(one if replica.samples == 1 else few, replica.where)
