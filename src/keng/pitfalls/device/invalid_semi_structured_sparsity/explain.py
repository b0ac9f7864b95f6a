"""Error messages: a weight cannot become one of 2:4 sparsity, or is asked for more than a product."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("elsewhere-than-on-a-card")
def elsewhere_than_on_a_card(failure: Failure) -> Hits:
    yield failure.hit(say("sparsity-nvidia-cards-weight", came=failure.groups["came"]))


@explains("no-whole-blocks")
def no_whole_blocks(failure: Failure) -> Hits:
    came, wants = failure.groups["came"], failure.groups["wants"]
    yield failure.hit(say("weight-no-multiple-dtype", wants=came, wants_2=wants))


@explains("of-a-dtype-that-is-not-packed")
def of_a_dtype_that_is_not_packed(failure: Failure) -> Hits:
    yield failure.hit(say("not-packed-float16-bfloat16", came=failure.groups["came"]))


@explains("no-matrix")
def no_matrix(failure: Failure) -> Hits:
    yield failure.hit(say("only-matrix-packed-has", came=failure.groups["came"]))


@explains("two-dtypes")
def two_dtypes(failure: Failure) -> Hits:
    one, other = failure.groups["one"], failure.groups["other"]
    yield failure.hit(say("packed-weight-other-have", other=one, other_2=other))
