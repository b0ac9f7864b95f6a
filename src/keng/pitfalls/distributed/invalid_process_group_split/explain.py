"""Error messages: a process group or a mesh is split, joined or shrunk in a way that it does not take."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("rank-in-two")
def rank_in_two(failure: Failure) -> Hits:
    rank, one, other = (failure.groups[key] for key in ("rank", "one", "other"))
    yield failure.hit(say("rank-stands-subgroups-share", other=rank, one=one, other_2=other))


@explains("parts-make-another-size")
def parts_make_another_size(failure: Failure) -> Hits:
    sizes = failure.groups["sizes"].strip(", ").replace(", ", " * ")
    product, size = failure.groups["product"], failure.groups["size"]
    yield failure.hit(say("makes-ranks-dimension-mesh", size=sizes, product=product, size_2=size))
