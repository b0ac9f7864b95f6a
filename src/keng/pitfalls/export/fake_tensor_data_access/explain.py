"""Error messages: a fake tensor, which has no values, is asked for its values."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

# Their rules are tried out on fake tensors: what they say of it stands in the error that follows.
OF_DISTRIBUTED_TENSORS = "torch/distributed/tensor/_sharding_prop.py"


@explains("real-beside-fake")
def real_beside_fake(failure: Failure) -> Hits:
    op = failure.groups["op"]
    advice = say("make-it-a-buffer")
    named = say("real-meets-fake-in", op=op, advice=advice)
    yield failure.hit(named if op else say("real-meets-fake", advice=advice))


@explains("depends-on-numbers")
def depends_on_numbers(failure: Failure) -> Hits:
    if not failure.passed_through(OF_DISTRIBUTED_TENSORS):
        yield failure.hit(say("result-depends-on-numbers", op=failure.groups["op"]))
