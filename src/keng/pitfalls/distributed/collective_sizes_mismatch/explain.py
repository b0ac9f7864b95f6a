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


@explains("dtypes-differ")
def dtypes_differ(failure: Failure) -> Hits:
    one, other = failure.groups["one"], failure.groups["other"]
    yield failure.hit(say("meet-one-collective-torch", other=one, other_2=other))
