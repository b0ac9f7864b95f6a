"""Error messages: a model is to be quantized by options that do not fit each other, the file or the card."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("not-known-here")
def not_known_here(failure: Failure) -> Hits:
    yield failure.hit(
        f"the file is packed as {failure.groups['kind']}, which this Transformers does not know: update it"
    )


@explains("packed-already")
def packed_already(failure: Failure) -> Hits:
    has, came = failure.groups["has"], failure.groups["came"]
    yield failure.hit(
        f"the file is packed already, by {has}: leave {came} out, or take the model that is not packed"
    )


@explains("not-to-be-trained")
def not_to_be_trained(failure: Failure) -> Hits:
    yield failure.hit(
        f"weights that {failure.groups['how']} packs are not trained, nor an adapter on them: the model itself with load_in_4bit=True and an adapter"
    )


@explains("unpacked-here")
def unpacked_here(failure: Failure) -> Hits:
    packing = failure.groups["packing"]
    times, want = (
        ("twice", "a card of 8.9") if packing == "FP8" else ("four times", "kernels, triton")
    )
    yield failure.hit(
        f"{packing} is not computed here, and the weights are unpacked to bfloat16, with some {times} the memory: {want}, as the line says, or a file of another packing"
    )


@explains("parts-off-the-card")
def parts_off_the_card(failure: Failure) -> Hits:
    packing = failure.groups["packing"] or "packed"
    yield failure.hit(
        f"{packing} weights compute on the card alone, and parts of the model are to lie elsewhere: no room for all of it where device_map is \"auto\", else device_map={{'': 0}}"
    )
