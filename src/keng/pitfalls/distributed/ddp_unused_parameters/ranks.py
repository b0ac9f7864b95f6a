"""The ranks of a job: parameters of a DistributedDataParallel model took no part in the loss."""

from __future__ import annotations

from keng.model import Hits
from keng.ranks.calls import spoken
from keng.ranks.reports import Ranks, first_of
from keng.rules import compares


@compares
def counted_on_in_vain(ranks: Ranks) -> Hits:
    for replica in ranks.replicated:
        lacking = {rank: each.unused for rank, each in ranks.of(replica).items() if each.unused}
        told = [
            f"{spoken(rank for rank in lacking if lacking[rank] == names)} for {first_of(names)}"
            for names in dict.fromkeys(lacking.values())
        ]
        if told:
            yield ranks.hit(f"no gradient on {', on '.join(told)}", replica.where)
