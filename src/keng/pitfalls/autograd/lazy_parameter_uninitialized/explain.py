"""Error messages: a lazy layer is used before it knows its size."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("size-unknown")
def size_unknown(failure: Failure) -> Hits:
    yield failure.hit(say("lazy-layer-has-no"))
