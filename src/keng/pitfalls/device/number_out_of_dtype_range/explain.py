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
        yield failure.hit(say("complex-to-real", kind=kind))
        return
    says = say("beyond-integer", kind=kind)
    if kind == "Half":
        says = say("beyond-half")
    elif kind in ("float", "BFloat16"):
        says = say("beyond-float", kind=kind)
    yield failure.hit(says)
