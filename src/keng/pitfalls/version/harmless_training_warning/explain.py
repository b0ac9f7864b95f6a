"""Error messages: a library over Transformers tells what it puts right by itself in a training."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("cast-for-the-kernel")
def cast_for_the_kernel(failure: Failure) -> Hits:
    to = failure.groups["to"]
    yield failure.hit(say("norms-in-float32", to=to) if to else say("norms-in-half-precision"))


@explains("window-left-out")
def window_left_out(failure: Failure) -> Hits:
    yield failure.hit(say("window-not-applied", kernel=failure.groups["kernel"]))
