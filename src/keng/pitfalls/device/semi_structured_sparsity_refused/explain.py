"""Error messages: a weight cannot become one of 2:4 sparsity, or is asked for more than a product."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("elsewhere-than-on-a-card")
def elsewhere_than_on_a_card(failure: Failure) -> Hits:
    yield failure.hit(
        f"2:4 sparsity is for NVIDIA cards, and this weight is on {failure.groups['came']}: weight.cuda() first"
    )


@explains("no-whole-blocks")
def no_whole_blocks(failure: Failure) -> Hits:
    came, wants = failure.groups["came"], failure.groups["wants"]
    yield failure.hit(
        f"the weight is ({came}), no multiple of ({wants}) as this dtype wants: leave this layer dense"
    )


@explains("of-a-dtype-that-is-not-packed")
def of_a_dtype_that_is_not_packed(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['came']} is not packed: float16, bfloat16 or int8; float32 with CUTLASS, float8 with cuSPARSELt"
    )


@explains("no-matrix")
def no_matrix(failure: Failure) -> Hits:
    yield failure.hit(
        f"only a matrix is packed, and this has {failure.groups['came']} dimensions: weights of linear layers"
    )


@explains("two-dtypes")
def two_dtypes(failure: Failure) -> Hits:
    one, other = failure.groups["one"], failure.groups["other"]
    yield failure.hit(f"the packed weight and the other have {one} and {other}: one dtype for both")
