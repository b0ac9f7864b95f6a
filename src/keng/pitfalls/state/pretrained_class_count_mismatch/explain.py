"""Error messages: pretrained weights are asked for together with another number of classes than they have."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("other-than-the-weights")
def other_than_the_weights(failure: Failure) -> Hits:
    name, wants, came = (failure.groups[key] for key in ("name", "wants", "came"))
    cure = f"leave `{name}` out, and change the model after it is made"
    if name == "num_classes":
        cure = "leave it out, and replace the last layer of the model that comes"
    yield failure.hit(
        f"the weights were trained with {name}={wants}, and {came} is asked for: {cure}"
    )
