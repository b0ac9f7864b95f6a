"""Error messages: `torch.fx.symbolic_trace` cannot record this code."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("more-that-are-fixed")
def more_that_are_fixed(failure: Failure) -> Hits:
    wants, got = failure.groups["wants"], failure.groups["got"]
    yield failure.hit(say("concrete-args-holds-values", wants=got, wants_2=wants))
