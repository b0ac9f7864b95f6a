"""Error messages: a tensor has more elements than a kernel can count."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("beyond-32-bits")
def beyond_32_bits(failure: Failure) -> Hits:
    yield failure.hit(
        "the kernel counts in 32 bits, and the tensor has over 2**31 elements: do it in pieces"
    )


@explains("too-many-categories")
def too_many_categories(failure: Failure) -> Hits:
    yield failure.hit(
        "multinomial knows 2**24 categories at most: cumsum and searchsorted, or numpy"
    )


@explains("too-many-for-a-quantile")
def too_many_for_a_quantile(failure: Failure) -> Hits:
    yield failure.hit("quantile() takes 16 million numbers at most: sort, or numpy.quantile")
