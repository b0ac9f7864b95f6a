"""Error messages: a process group or mesh is created twice, or with ranks that it cannot have."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("group-too-large")
def group_too_large(failure: Failure) -> Hits:
    yield failure.hit(say("group-too-large"))


@explains("mesh-too-large")
def mesh_too_large(failure: Failure) -> Hits:
    came, world = failure.groups["came"], failure.groups["world"]
    yield failure.hit(say("mesh-too-large", all=came, world=world))


@explains("not-of-the-group")
def not_of_the_group(failure: Failure) -> Hits:
    yield failure.hit(say("rank-not-in-group", rank=failure.groups["rank"]))


@explains("sampler-of-fewer")
def sampler_of_fewer(failure: Failure) -> Hits:
    rank, all_of = failure.groups["rank"], int(failure.groups["last"]) + 1
    yield failure.hit(say("sampler-rank-beyond", count=all_of, rank=rank))


@explains("no-such-rank")
def no_such_rank(failure: Failure) -> Hits:
    yield failure.hit(say("no-such-rank", rank=failure.groups["rank"]))


@explains("mesh-without-names")
def mesh_without_names(failure: Failure) -> Hits:
    yield failure.hit(say("mesh-without-names"))


@explains("to-itself")
def to_itself(failure: Failure) -> Hits:
    yield failure.hit(say("sent-to-itself", what=failure.groups["what"]))


@explains("made-before")
def made_before(failure: Failure) -> Hits:
    yield failure.hit(say("default-group-there-already"))


@explains("rank-in-two")
def rank_in_two(failure: Failure) -> Hits:
    rank, one, other = (failure.groups[key] for key in ("rank", "one", "other"))
    yield failure.hit(say("rank-stands-subgroups-share", other=rank, one=one, other_2=other))


@explains("parts-make-another-size")
def parts_make_another_size(failure: Failure) -> Hits:
    sizes = failure.groups["sizes"].strip(", ").replace(", ", " * ")
    product, size = failure.groups["product"], failure.groups["size"]
    yield failure.hit(say("makes-ranks-dimension-mesh", size=sizes, product=product, size_2=size))
