"""Error messages: tensors that belong together have different lengths."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("lengths-differ")
def lengths_differ(failure: Failure) -> Hits:
    sizes = ", ".join(f"`{o.name}` {o.shape[0]}" for o in failure.live.operands if o.shape)
    datasets = failure.groups["what"] == "datasets"
    if len(failure.live.operands) > 1 and datasets:
        yield failure.hit(say("datasets-of-sizes", sizes=sizes))
    elif len(failure.live.operands) > 1:
        yield failure.hit(say("tensors-of-sizes", sizes=sizes))
    else:
        yield failure.hit(say("datasets-differ") if datasets else say("tensors-differ"))
