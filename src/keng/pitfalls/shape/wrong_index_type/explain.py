"""Error messages: what stands in the brackets of a tensor is no index."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("no-index")
def no_index(failure: Failure) -> Hits:
    came = failure.groups["came"]
    if came == "float":
        yield failure.hit(say("index-float-divides-whole"))
    else:
        yield failure.hit(say("index-no-whole-number", came=came))


@explains("no-index-of-graphs")
def no_index_of_graphs(failure: Failure) -> Hits:
    yield failure.hit(say("no-index-dataset-graphs", came=failure.groups["came"]))
