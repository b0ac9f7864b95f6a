"""The ranks of a job: parameters of a DistributedDataParallel model took no part in the loss."""

from __future__ import annotations

from keng.model import Hits, Message, say
from keng.ranks.calls import spoken
from keng.ranks.reports import Ranks, first_of
from keng.rules import compares


@compares
def counted_on_in_vain(ranks: Ranks) -> Hits:
    for replica in ranks.replicated:
        lacking = {rank: each.unused for rank, each in ranks.of(replica).items() if each.unused}
        told = [
            say(
                "no-gradient",
                rank=spoken(rank for rank in lacking if lacking[rank] == names),
                names=first_of(names),
            )
            for names in dict.fromkeys(lacking.values())
        ]
        if told:
            yield ranks.hit(_joined(told), replica.where)


def _joined(told: list[Message]) -> Message:
    first, *rest = told
    return say("no-gradients", first=first, rest=_joined(rest)) if rest else first
