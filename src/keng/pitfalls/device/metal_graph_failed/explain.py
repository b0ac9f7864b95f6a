"""Error messages: Metal rejects a graph of operations, and the process ends."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("meet-in-one-step")
def meet_in_one_step(failure: Failure) -> Hits:
    one, other = failure.groups["one"], failure.groups["other"]
    if one != other:
        yield failure.hit(say("dtypes-meet", one=one, other=other))
    else:
        yield failure.hit(say("shapes-do-not-match"))


@explains("assert-of-apple")
def assert_of_apple(failure: Failure) -> Hits:
    what = failure.groups["what"]
    large = re.search(r"2 ?\*\* ?3[12]|2\^3[12]|INT_MAX", failure.message)
    too_large = say("tensor-too-large-for-metal", what=what)
    yield failure.hit(too_large if large else say("metal-check-failed", what=what))


@explains("without-a-kernel")
def without_a_kernel(failure: Failure) -> Hits:
    dtype = failure.groups["dtype"]
    other = say("no-kernel-on-metal", dtype=dtype)
    yield failure.hit(say("no-bfloat16-on-metal") if dtype == "BFloat16" else other)
