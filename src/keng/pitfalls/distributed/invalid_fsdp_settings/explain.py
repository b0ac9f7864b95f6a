"""Error messages: an option of FullyShardedDataParallel does not go with another, or with the model."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("replaced-by-another-shape")
def replaced_by_another_shape(failure: Failure) -> Hits:
    what, wants, came = (failure.groups[key] for key in ("what", "wants", "came"))
    yield failure.hit(say("was-replaced-one-after", came=what, wants=wants, came_2=came))


@explains("ignored-is-no-list")
def ignored_is_no_list(failure: Failure) -> Hits:
    yield failure.hit(say("ignored-modules-takes-list"))


@explains("ranks-go-other-ways")
def ranks_go_other_ways(failure: Failure) -> Hits:
    one, other, a, b = (failure.groups[key] for key in ("one", "other", "a", "b"))
    yield failure.hit(say("rank-gathers-rank-ranks", b=one, a=a, other=other, b_2=b))
