"""Error messages: attention weights are asked of a kernel that never makes them."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("never-made")
def never_made(failure: Failure) -> Hits:
    kernel = failure.groups["kernel"].lower()
    yield failure.hit(say("kernel-makes-no-attention-2", kernel=kernel))
