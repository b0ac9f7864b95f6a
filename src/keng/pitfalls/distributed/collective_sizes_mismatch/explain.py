"""Error messages: a collective gets tensors that do not fit the group."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("another-number-of-tensors")
def another_number_of_tensors(failure: Failure) -> Hits:
    came, world = failure.groups["came"], failure.groups["world"]
    yield failure.hit(say("list-world-size-one", world=came, world_2=world))


@explains("shapes-differ")
def shapes_differ(failure: Failure) -> Hits:
    wants, came = failure.groups["wants"], failure.groups["came"]
    yield failure.hit(say("place-list-has-shape", wants=came, wants_2=wants))


@explains("no-share-for-each")
def no_share_for_each(failure: Failure) -> Hits:
    yield failure.hit(say("each-rank-gives-or"))


@explains("list-for-each-rank")
def list_for_each_rank(failure: Failure) -> Hits:
    yield failure.hit(say("reduce-scatter-takes-list"))


@explains("splits-do-not-add-up")
def splits_do_not_add_up(failure: Failure) -> Hits:
    yield failure.hit(say("split-sizes-all-all"))


@explains("dtypes-differ")
def dtypes_differ(failure: Failure) -> Hits:
    one, other = failure.groups["one"], failure.groups["other"]
    yield failure.hit(say("meet-one-collective-torch", other=one, other_2=other))


@explains("list-on-one-rank")
def list_on_one_rank(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(say("given-on-destination-or", name=name))
