"""Error messages: fSDP is asked for what it does not do, or meets a model in another state than it needs."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("of-no-dimension")
def of_no_dimension(failure: Failure) -> Hits:
    yield failure.hit(say("has-no-dimension-shard", name=failure.groups["name"]))


@explains("without-its-key")
def without_its_key(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(say("state-dict-has-no", name=name))
