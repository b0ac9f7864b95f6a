"""Error messages: a layer has no channels left."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("nothing-to-put-out")
def nothing_to_put_out(failure: Failure) -> Hits:
    shape, groups = failure.groups["shape"], failure.groups.get("groups", "1")
    if "0" in shape.split(", "):
        yield failure.hit(say("no-output-channel", layer=failure.layer, shape=shape))
    else:
        out = shape.partition(",")[0]
        says = say(
            "fewer-channels-than-groups", layer=failure.layer, shape=shape, out=out, groups=groups
        )
        yield failure.hit(says)
