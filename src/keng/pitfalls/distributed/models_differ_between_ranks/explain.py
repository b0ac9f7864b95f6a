"""Error messages: the ranks wrap models that differ."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("another-number")
def another_number(failure: Failure) -> Hits:
    one, few, other, many = (failure.groups[key] for key in ("one", "few", "other", "many"))
    if "0" in (few, many):  # DDP rejects a model that has none before it asks
        yield failure.hit(say("no-count-from-rank", rank=one if few == "0" else other))
        return
    yield failure.hit(say("counts-differ", one=one, few=few, other=other, many=many))


@explains("other-sizes")
def other_sizes(failure: Failure) -> Hits:
    rank, at, sizes = (failure.groups[key] for key in ("rank", "at", "sizes"))
    named = say("sizes-differ-on-rank", at=at, sizes=sizes, rank=rank)
    yield failure.hit(named if rank else say("sizes-differ", at=at, sizes=sizes))
