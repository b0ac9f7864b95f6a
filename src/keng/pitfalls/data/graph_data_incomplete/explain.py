"""Error messages: a graph of PyTorch Geometric lacks a part, or does not match the types of a layer."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

ARRAYS_HAVE = frozenset(
    "astype copy dim dtype flatten item iloc ndim numel numpy permute ravel reshape shape squeeze tolist "
    "transpose unsqueeze".split()
)
"""What arrays, tables and tensors have, and no graph has as a part."""


@explains("not-in-the-graph")
def not_in_the_graph(failure: Failure) -> Hits:
    kind, name = failure.groups["kind"], failure.groups["name"]
    if name in ARRAYS_HAVE:
        yield failure.hit(say("graph-is-not-an-array", name=name))
    elif name.endswith("_mask"):
        yield failure.hit(say("masks-missing", name=name))
    elif kind == "HeteroData":
        yield failure.hit(say("part-of-each-type", name=name))
    else:
        yield failure.hit(say("part-missing", name=name))


@explains("not-in-all-graphs")
def not_in_all_graphs(failure: Failure) -> Hits:
    if failure.passed_through("torch_geometric/data/collate.py"):
        name = failure.groups["name"]
        yield failure.hit(say("part-missing-in-one", name=name))


@explains("loops-between-types")
def loops_between_types(failure: Failure) -> Hits:
    layer, kinds = failure.groups["layer"], failure.groups["kinds"]
    yield failure.hit(say("adds-loop-at-each", kinds=layer, kinds_2=kinds))


@explains("nothing-arrives")
def nothing_arrives(failure: Failure) -> Hits:
    yield failure.hit(say("no-edge-ends-nodes", kinds=failure.groups["kinds"].strip()))
