"""Error messages: under FSDP a forward and its backward do not come in pairs."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("out-of-step")
def out_of_step(failure: Failure) -> Hits:
    yield failure.hit(say("fsdp-counts-one-forward"))
