"""Error messages: what the processes are to gather is not tensors of one shape."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("no-tensor")
def no_tensor(failure: Failure) -> Hits:
    what = failure.groups["what"].rpartition(".")[2]
    yield failure.hit(say("accelerate-sends-tensors-one", what=what))
