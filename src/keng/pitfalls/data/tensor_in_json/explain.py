"""Error messages: a tensor is written as JSON, which has no tensors."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("no-number")
def no_number(failure: Failure) -> Hits:
    yield failure.hit(say("goes-into-json-one", kind=failure.groups["kind"]))
