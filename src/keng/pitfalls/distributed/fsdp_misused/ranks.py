"""The ranks of a job: each clips the gradients of a sharded model by the norm of its own shards."""

from __future__ import annotations

from keng.model import Hits, say
from keng.ranks.reports import Ranks
from keng.rules import compares


@compares
def clipped_by_own_norm(ranks: Ranks) -> Hits:
    for name, factors, own in ranks.scaled_apart():
        least, most = min(factors.values()), max(factors.values())
        if most <= 1 + 1e-3:
            says = say("clipped-by-own-norm", model=name)
            yield ranks.hit(says, own.where, least=round(least, 4), most=round(most, 4))


@compares
def norm_of_own_shards(ranks: Ranks) -> Hits:
    """Also where no rank's is large enough to be clipped by."""
    for model, name, own in ranks.norms_of_shards():
        says = say("norm-of-own-shards", name=name, model=model)
        yield ranks.hit(says, own.where)
