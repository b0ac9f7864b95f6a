"""Error messages: a graph of PyTorch Geometric lacks a part that is asked of it."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("not-in-the-graph")
def not_in_the_graph(failure: Failure) -> Hits:
    kind, name = failure.groups["kind"], failure.groups["name"]
    cure = "print it to see what is there"
    if name.endswith("_mask"):
        cure = "RandomNodeSplit() makes masks of nodes, where the dataset has none"
    elif kind == "HeteroData":
        cure = f"each type of nodes has its own, data['paper'].{name}"
    yield failure.hit(say("graph-has-no", cure=name, cure_2=cure))


@explains("not-in-all-graphs")
def not_in_all_graphs(failure: Failure) -> Hits:
    if failure.passed_through("torch_geometric/data/collate.py"):
        name = failure.groups["name"]
        yield failure.hit(say("first-graph-batch-has", name=name))
