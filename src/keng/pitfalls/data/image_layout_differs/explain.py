"""Error messages: an image is laid out in another way than what shows or saves it takes."""

from __future__ import annotations

from collections.abc import Sequence

from keng.explain.failure import Failure
from keng.model import Hits, Message, say
from keng.rules import explains


@explains("shown")
def shown(failure: Failure) -> Hits:
    shape = failure.groups["shape"]
    sizes = tuple(int(size) for size in shape.split(", "))
    yield failure.hit(say("not-height-width-channels", shape=shape, advice=_to_show(sizes)))


@explains("made-a-picture")
def made_a_picture(failure: Failure) -> Hits:
    last, dtype = failure.groups["last"], failure.groups["dtype"]
    if last not in ("1", "3", "4", ""):
        yield failure.hit(say("pillow-needs-channels-last"))
    elif last == "1":
        yield failure.hit(say("pillow-needs-no-channel"))
    elif dtype != "|u1" and dtype[1] in "iu":
        yield failure.hit(say("pillow-needs-bytes"))
    elif dtype != "|u1":
        yield failure.hit(say("pillow-needs-scaled-bytes"))
    else:
        yield failure.hit(say("pillow-needs-another-dtype"))


@explains("not-one-image")
def not_one_image(failure: Failure) -> Hits:
    came = failure.groups["came"]
    if came == "1 dimensions":
        yield failure.hit(say("image-is-flattened"))
    elif "dimensions" in came:
        yield failure.hit(say("image-of-a-batch", came=came.partition(" ")[0]))
    else:
        yield failure.hit(say("too-many-channels", came=came.partition(" ")[0]))


@explains("other-channels")
def other_channels(failure: Failure) -> Hits:
    wants, came = failure.groups.get("wants"), failure.groups.get("came")
    if not came or not wants:
        yield failure.hit(say("convert-image"))
    elif int(came) > 4:
        yield failure.hit(say("channels-come-last", came=came, wants=wants))
    else:
        mode = "L" if wants == "1" else "RGB"
        yield failure.hit(say("convert-image-to", came=came, wants=wants, mode=mode))


def _to_show(sizes: Sequence[int]) -> Message:
    """What to do with an image that is to be shown, by its sizes."""
    if len(sizes) > 3:
        one = {1: "x[0, 0]", 3: "x[0].permute(1, 2, 0)", 4: "x[0].permute(1, 2, 0)"}
        return say("show-one-of-batch", form=one.get(sizes[1], "x[0]"))
    if sizes[0] == 1 or sizes[-1] == 1:
        return say("show-one-channel")
    return say("put-channels-last")
