"""Error messages: a metric is asked of data on which it has no value."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("one-kind-alone")
def one_kind_alone(failure: Failure) -> Hits:
    kind = failure.groups["kind"]
    other = "negative" if kind == "positive" else "positive"
    yield failure.hit(say("what-was-counted-has", other=kind, other_2=other))
