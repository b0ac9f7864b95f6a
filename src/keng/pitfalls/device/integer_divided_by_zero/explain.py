"""Error messages: a whole number is divided by zero."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("no-infinity-in-whole-numbers")
def no_infinity_in_whole_numbers(failure: Failure) -> Hits:
    if failure.kind == "RuntimeError":
        yield failure.hit(say("tensor-whole-numbers-divided"))
