"""Error messages: a model is to be quantized by options that do not fit each other, the file or the card."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("not-known-here")
def not_known_here(failure: Failure) -> Hits:
    yield failure.hit(say("file-packed-transformers-does", kind=failure.groups["kind"]))


@explains("packed-already")
def packed_already(failure: Failure) -> Hits:
    has, came = failure.groups["has"], failure.groups["came"]
    yield failure.hit(say("file-packed-already-leave", came=has, came_2=came))


@explains("not-to-be-trained")
def not_to_be_trained(failure: Failure) -> Hits:
    yield failure.hit(say("weights-packs-not-trained", how=failure.groups["how"]))


@explains("unpacked-here")
def unpacked_here(failure: Failure) -> Hits:
    packing = failure.groups["packing"]
    times, want = (
        ("twice", "a card of 8.9") if packing == "FP8" else ("four times", "kernels, triton")
    )
    yield failure.hit(say("not-computed-here-weights", want=packing, times=times, want_2=want))


@explains("parts-off-the-card")
def parts_off_the_card(failure: Failure) -> Hits:
    packing = failure.groups["packing"] or "packed"
    yield failure.hit(say("weights-compute-on-card", packing=packing))
