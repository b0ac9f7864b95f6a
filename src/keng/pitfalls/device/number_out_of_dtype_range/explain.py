"""Error messages: a number does not fit into the dtype."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

COMPLEX = re.compile(r"\b\d+j\b")


@explains("beyond")
def beyond(failure: Failure) -> Hits:
    kind, there = failure.groups["kind"], failure.live.operands
    if any(each.dtype.startswith("complex") for each in there) or COMPLEX.search(failure.line):
        yield failure.hit(say("complex-number-become-z", kind=kind))
        return
    cure = "-inf, NaN or a number below or beyond it: x.float() first, or clamp it"
    if kind == "Half":
        cure = "torch.finfo(x.dtype).min for masks, or bfloat16"
    elif kind in ("float", "BFloat16"):
        cure = "it is beyond 3.4e38: torch.finfo(x.dtype).min for masks, or float64"
    yield failure.hit(say("number-does-not-fit", kind=kind, cure=cure))


@explains("beyond-64-bits")
def beyond_64_bits(failure: Failure) -> Hits:
    yield failure.hit(say("whole-number-does-not"))


@explains("beyond-a-range")
def beyond_a_range(failure: Failure) -> Hits:
    end, dtype = failure.groups["end"], failure.groups["dtype"]
    yield failure.hit(say("random-numbers-drawn-up", end=dtype, end_2=end))
