"""Error messages: a process group or mesh is created twice, or with ranks that it cannot have."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("sampler-of-fewer")
def sampler_of_fewer(failure: Failure) -> Hits:
    rank, all_of = failure.groups["rank"], int(failure.groups["last"]) + 1
    yield failure.hit(say("sampler-rank-beyond", count=all_of, rank=rank))


@explains("rank-in-two")
def rank_in_two(failure: Failure) -> Hits:
    rank, one, other = (failure.groups[key] for key in ("rank", "one", "other"))
    yield failure.hit(say("rank-stands-subgroups-share", other=rank, one=one, other_2=other))


@explains("parts-make-another-size")
def parts_make_another_size(failure: Failure) -> Hits:
    sizes = failure.groups["sizes"].strip(", ").replace(", ", " * ")
    product, size = failure.groups["product"], failure.groups["size"]
    yield failure.hit(say("makes-ranks-dimension-mesh", size=sizes, product=product, size_2=size))
