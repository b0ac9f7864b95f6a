"""Error messages: a layer is created in every forward pass."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("seen-by-the-exporter")
def seen_by_the_exporter(failure: Failure) -> Hits:
    yield failure.hit(say("forward-makes-or-drops"))
