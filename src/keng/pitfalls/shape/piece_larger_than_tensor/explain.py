"""Error messages: more is taken out of a tensor than is in it."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("sizes-of-a-split")
def sizes_of_a_split(failure: Failure) -> Hits:
    size, dim, sizes = (failure.groups[key] for key in ("size", "dim", "sizes"))
    total = sum(int(each) for each in sizes.split(",") if each.strip())
    yield failure.hit(say("split-sizes-differ", sizes=sizes, total=total, dim=dim, size=size))
