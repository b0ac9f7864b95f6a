"""Error messages: a model is to be quantized by options that do not fit each other, the file or the card."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("unpacked-here")
def unpacked_here(failure: Failure) -> Hits:
    packing = failure.groups["packing"]
    other = say("dequantized", packing=packing)
    yield failure.hit(say("fp8-dequantized") if packing == "FP8" else other)


@explains("parts-off-the-card")
def parts_off_the_card(failure: Failure) -> Hits:
    packing = failure.groups["packing"]
    named = say("packed-weights-off-gpu", packing=packing)
    yield failure.hit(named if packing else say("quantized-weights-off-gpu"))
