"""Error messages: a weight cannot become one of 2:4 sparsity, or is asked for more than a product."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("no-whole-blocks")
def no_whole_blocks(failure: Failure) -> Hits:
    came, wants = failure.groups["came"], failure.groups["wants"]
    yield failure.hit(say("weight-no-multiple-dtype", wants=came, wants_2=wants))


@explains("two-dtypes")
def two_dtypes(failure: Failure) -> Hits:
    one, other = failure.groups["one"], failure.groups["other"]
    yield failure.hit(say("packed-weight-other-have", other=one, other_2=other))
