"""Error messages: a tensor has more elements than a kernel can count."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("beyond-32-bits")
def beyond_32_bits(failure: Failure) -> Hits:
    yield failure.hit(say("kernel-counts-bits-tensor"))


@explains("too-many-categories")
def too_many_categories(failure: Failure) -> Hits:
    yield failure.hit(say("multinomial-knows-categories-at"))


@explains("too-many-for-a-quantile")
def too_many_for_a_quantile(failure: Failure) -> Hits:
    yield failure.hit(say("quantile-takes-million-numbers"))
