"""Error messages: a number does not fit into the dtype."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains

COMPLEX = re.compile(r"\b\d+j\b")


@explains("beyond")
def beyond(failure: Failure) -> Hits:
    kind, there = failure.groups["kind"], failure.live.operands
    if any(each.dtype.startswith("complex") for each in there) or COMPLEX.search(failure.line):
        yield failure.hit(f"a complex number is to become {kind}: z.real, or z.abs()")
        return
    cure = "-inf, NaN or a number below or beyond it: x.float() first, or clamp it"
    if kind == "Half":
        cure = "torch.finfo(x.dtype).min for masks, or bfloat16"
    elif kind in ("float", "BFloat16"):
        cure = "it is beyond 3.4e38: torch.finfo(x.dtype).min for masks, or float64"
    yield failure.hit(f"a number does not fit into {kind}: {cure}")


@explains("beyond-64-bits")
def beyond_64_bits(failure: Failure) -> Hits:
    yield failure.hit(
        "a whole number does not fit into int64, as hashes and seeds of 64 bits without a sign: n % 2**63"
    )


@explains("beyond-a-range")
def beyond_a_range(failure: Failure) -> Hits:
    end, dtype = failure.groups["end"], failure.groups["dtype"]
    yield failure.hit(
        f"random numbers are drawn up to what {dtype} cannot hold: another dtype=, or a smaller `{end}`"
    )
