"""Error messages: a layer, a split or a wrapper does not fit the types of a heterogeneous graph."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("loops-between-types")
def loops_between_types(failure: Failure) -> Hits:
    layer, kinds = failure.groups["layer"], failure.groups["kinds"]
    yield failure.hit(say("adds-loop-at-each", kinds=layer, kinds_2=kinds))


@explains("nothing-arrives")
def nothing_arrives(failure: Failure) -> Hits:
    yield failure.hit(say("no-edge-ends-nodes", kinds=failure.groups["kinds"].strip()))


@explains("not-by-type")
def not_by_type(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(say("given-one-thing-each", name=name))
