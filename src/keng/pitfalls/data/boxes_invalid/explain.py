"""Error messages: a bounding box is empty, lies outside of its image, or comes in another form than a detector takes."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("boxes-of-another-shape")
def boxes_of_another_shape(failure: Failure) -> Hits:
    came = failure.groups["came"].removeprefix("torch.Size(").removesuffix(")")
    yield failure.hit(say("boxes-shape", came=came))


@explains("outside-of-the-image")
def outside_of_the_image(failure: Failure) -> Hits:
    side, value = failure.groups["side"], failure.groups.get("value")
    box = failure.groups["box"]
    if not value:
        yield failure.hit(say("box-is-empty", side=side, box=box))
    elif abs(float(value) - 0.5) < 0.6:
        yield failure.hit(say("box-leaves-image", side=side, value=value, box=box))
    else:
        yield failure.hit(say("box-of-another-format", side=side, value=value, box=box))


@explains("of-another-dtype")
def of_another_dtype(failure: Failure) -> Hits:
    what, came = failure.groups["what"], failure.groups["came"]
    if what != "labels":
        yield failure.hit(say("target-not-float", what=what))
    elif came:
        yield failure.hit(say("labels-of-dtype", came=came))
    else:
        yield failure.hit(say("labels-not-int64"))


@explains("pixels-for-shares")
def pixels_for_shares(failure: Failure) -> Hits:
    yield failure.hit(say("pixels-in-label-file", values=failure.groups["values"].strip()))


@explains("labels-of-another-task")
def labels_of_another_task(failure: Failure) -> Hits:
    wanted, came = failure.groups["wanted"], failure.groups["came"]
    if came:
        yield failure.hit(say("columns-differ", came=came, wanted=wanted))
    else:
        yield failure.hit(say("columns-needed", wanted=wanted))
