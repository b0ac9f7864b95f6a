"""Error messages: an operation does not know nested tensors, or these do not fit each other."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("asked-for-a-shape")
def asked_for_a_shape(failure: Failure) -> Hits:
    yield failure.hit(say("older-layout-has-no", what=failure.groups["what"].removesuffix("s")))


@explains("of-different-dimensions")
def of_different_dimensions(failure: Failure) -> Hits:
    one, other = sorted(failure.groups[name] for name in ("one", "other"))
    yield failure.hit(say("parts-of-different-dimensions", one=one, other=other))
