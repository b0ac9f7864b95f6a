"""Error messages: the loss scale falls step by step, and every step is skipped."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("at-its-lowest")
def at_its_lowest(failure: Failure) -> Hits:
    scale = failure.groups.get("scale")
    at = f" {scale}," if scale else " at"
    yield failure.hit(
        f"the loss scale is{at} its lowest, and gradients overflow still: bfloat16, a lower learning rate, or data without NaN"
    )


@explains("no-lower-scale")
def no_lower_scale(failure: Failure) -> Hits:
    yield failure.hit(say("every-step-overflows-down"))
