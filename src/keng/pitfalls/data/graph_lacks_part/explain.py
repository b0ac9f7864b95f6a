"""Error messages: a graph of PyTorch Geometric lacks a part that is asked of it."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("not-in-the-graph")
def not_in_the_graph(failure: Failure) -> Hits:
    kind, name = failure.groups["kind"], failure.groups["name"]
    if name.endswith("_mask"):
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
