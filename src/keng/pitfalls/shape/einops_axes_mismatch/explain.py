"""Error messages: a pattern of einops names other axes than the tensor has."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("no-multiple")
def no_multiple(failure: Failure) -> Hits:
    shape, size, part = (failure.groups[key] for key in ("shape", "size", "part"))
    yield failure.hit(say("axis-tensor-shape-cut", part=size, shape=shape, part_2=part))


@explains("another-number")
def another_number(failure: Failure) -> Hits:
    shape, wants, came = (failure.groups[key] for key in ("shape", "wants", "came"))
    yield failure.hit(say("pattern-names-dimensions-tensor", shape=wants, came=came, shape_2=shape))


@explains("other-parts")
def other_parts(failure: Failure) -> Hits:
    shape, said, size = (failure.groups[key] for key in ("shape", "said", "size"))
    yield failure.hit(say("sizes-given-make-not", shape=said, size=size, shape_2=shape))
