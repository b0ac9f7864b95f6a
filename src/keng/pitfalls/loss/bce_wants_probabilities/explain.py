"""Error messages: binary cross-entropy gets raw outputs, or the one that wants raw outputs gets probabilities."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

LABELS = "masks of 0 and 255 are (mask > 0).float(), labels of 1 and 2 less 1, and several classes want cross_entropy"


RAW_OR_NAN = "raw outputs want BCEWithLogitsLoss; or the model gave NaN"


NAN = "behind a sigmoid that is NaN, of the data or of weights that diverged; any other raw output wants BCEWithLogitsLoss"


@explains("no-probability")
def no_probability(failure: Failure) -> Hits:
    names = [f"`{operand.name}`" for operand in failure.live.operands]
    if failure.groups["which"] == "target":
        name = names[1] if len(names) == 2 else "the target"
        yield failure.hit(f"{name} holds values outside 0 and 1: {LABELS}")
        return
    name = names[0] if names else "the loss's input"
    cure = NAN if "sigmoid(" in failure.line or "sigmoid(" in failure.surrounding else RAW_OR_NAN
    yield failure.hit(f"{name} is no probability: {cure}")


@explains("in-half-precision")
def in_half_precision(failure: Failure) -> Hits:
    yield failure.hit(say("under-autocast-sigmoid-belongs"))
