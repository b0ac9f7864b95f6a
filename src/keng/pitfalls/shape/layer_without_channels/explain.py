"""Error messages: a layer has no channels left."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("nothing-to-put-out")
def nothing_to_put_out(failure: Failure) -> Hits:
    shape, groups = failure.groups["shape"], failure.groups.get("groups", "1")
    says = f"the weight of {failure.layer} is [{shape}]: "
    if "0" in shape.split(", "):
        says += "no output channel is left, all were pruned or a width was rounded down to 0: max(1, ...)"
    else:
        out = shape.partition(",")[0]
        says += f"{out} channels for {groups} groups, as pruning leaves them: fewer groups, which divide it"
    yield failure.hit(says)
