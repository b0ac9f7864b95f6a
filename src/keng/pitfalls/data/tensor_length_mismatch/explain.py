"""Error messages: tensors that belong together have different lengths."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("lengths-differ")
def lengths_differ(failure: Failure) -> Hits:
    there = failure.live.operands
    sizes = ", ".join(f"{o.name} has {o.shape[0]}" for o in there if o.shape)
    says = f"the {failure.groups['what']} have not as many samples each, in the first dimension"
    says = f"{says}: {sizes}" if len(there) > 1 else says
    yield failure.hit(
        f"{says}; one was filtered, cut into windows or reshaped, and the other was not"
    )
