"""The ranks of a job: each computes from its own shards what needs those of all ranks."""

from __future__ import annotations

from keng.model import Hits, say
from keng.ranks.reports import Ranks
from keng.rules import compares


@compares
def norm_of_own_shards(ranks: Ranks) -> Hits:
    """Where gradients are clipped by it, and also where no rank's is large enough for that."""
    clipped: set[str] = set()
    for name, factors, own in ranks.scaled_apart():
        least, most = min(factors.values()), max(factors.values())
        if most <= 1 + 1e-3:
            clipped.add(name)
            says = say("clipped-by-own-norm", model=name)
            yield ranks.hit(says, own.where, least=round(least, 4), most=round(most, 4))
    for model, name, copies, own in ranks.norms_of_copies():
        yield ranks.hit(say("norm-of-copies", name=name, model=model, copies=copies), own.where)
    for model, name, own in ranks.norms_of_shards():
        if model not in clipped:
            yield ranks.hit(say("norm-of-own-shards", name=name, model=model), own.where)


@compares
def update_of_own_shard(ranks: Ranks) -> Hits:
    """By an optimizer such as Muon."""
    for name, where in ranks.first.shard_updates.items() if ranks.first is not None else ():
        yield ranks.hit(say("update-of-own-shard", optimizer=name), where)
