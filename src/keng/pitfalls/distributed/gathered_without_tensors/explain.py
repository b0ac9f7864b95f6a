"""Error messages: what the processes are to gather is not tensors of one shape."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("no-tensor")
def no_tensor(failure: Failure) -> Hits:
    what = failure.groups["what"].rpartition(".")[2]
    yield failure.hit(
        f"accelerate sends tensors, and one of what it is given is {what}: outputs.logits in place of outputs, gather_object for the rest, "
        "no strings in batches"
    )
