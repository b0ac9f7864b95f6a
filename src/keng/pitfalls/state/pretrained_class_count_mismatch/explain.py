"""Error messages: pretrained weights are asked for together with another number of classes than they have."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("other-than-the-weights")
def other_than_the_weights(failure: Failure) -> Hits:
    name, wants, came = (failure.groups[key] for key in ("name", "wants", "came"))
    values = {"name": name, "wants": wants, "came": came}
    classes = name == "num_classes"
    yield failure.hit(
        say("other-class-count", **values) if classes else say("other-setting", **values)
    )
