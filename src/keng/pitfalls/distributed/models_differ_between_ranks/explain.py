"""Error messages: the ranks wrap models that differ."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("another-number")
def another_number(failure: Failure) -> Hits:
    one, few, other, many = (failure.groups[key] for key in ("one", "few", "other", "many"))
    if "0" in (few, many):  # DDP refuses a model that has none before it asks
        yield failure.hit(say("count-rank-came-no", rank=one if few == "0" else other))
        return
    yield failure.hit(say("rank-has-parameters-rank", many=one, few=few, other=other, many_2=many))


@explains("other-sizes")
def other_sizes(failure: Failure) -> Hits:
    rank, at, sizes = (failure.groups[key] for key in ("rank", "at", "sizes"))
    yield failure.hit(
        f"parameter {at} is ({sizes}) in {f'process {rank}' if rank else 'this process'} and another size in process 0: the model depends on the rank, as by a vocabulary or classes counted in its share of the data"
    )
