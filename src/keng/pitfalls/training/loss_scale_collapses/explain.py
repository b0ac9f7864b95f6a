"""Error messages: the loss scale falls step by step, and every step is skipped."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("at-its-lowest")
def at_its_lowest(failure: Failure) -> Hits:
    scale = failure.groups.get("scale")
    yield failure.hit(say("scale-at-lowest", scale=scale) if scale else say("at-lowest"))
