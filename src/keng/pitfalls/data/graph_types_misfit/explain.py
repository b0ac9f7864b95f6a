"""Error messages: a layer, a split or a wrapper does not fit the types of a heterogeneous graph."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("loops-between-types")
def loops_between_types(failure: Failure) -> Hits:
    layer, kinds = failure.groups["layer"], failure.groups["kinds"]
    yield failure.hit(
        f"`{layer}` adds a loop at each node, and the edges {kinds} go between two types: add_self_loops=False"
    )


@explains("nothing-arrives")
def nothing_arrives(failure: Failure) -> Hits:
    yield failure.hit(
        f"no edge ends in nodes of type {failure.groups['kinds'].strip()}, which have no features after a layer: ToUndirected() adds edges back, before metadata()"
    )


@explains("not-by-type")
def not_by_type(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(
        f"`{name}` is given as one thing, and each type of edges wants its own: {name}_dict={{edge_type: ...}}"
    )
