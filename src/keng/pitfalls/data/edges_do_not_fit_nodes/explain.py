"""Error messages: the edges of a graph do not fit its nodes."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

JOINED = "Sizes of tensors must match except in dimension 1."

GRAPHS = re.compile(
    r"torch_geometric/(?:nn/conv/message_passing|utils/_?scatter)\.py$|torch_scatter/scatter\.py$"
)
GRAPH_LAYER = re.compile(
    r"\b(?:GCN2?|ClusterGCN|GATv?2?|SuperGAT|SAGE|GINE?|Cheb|F?RGCN|RGAT|(?:Res)?(?:Gated)?Graph|NN|(?:Dynamic)?Edge|"
    r"Transformer|SG|TAG|ARMA|GMM|Spline|PNA|FiLM|LE|MF|General|HGT|HAN|Hypergraph|PointNet|PointTransformer)Conv\b"
)
PRINTED = re.compile(rf"\(\w{{1,40}}\): {GRAPH_LAYER.pattern}\(")
IN_FORWARD = re.compile(r"\bscatter(?:_add)?_?\(|\.index_select\(|\bconv\d{0,2}\(|\bforward\b")
"""Where the layers look up nodes; a model is printed beside many errors."""


@explains("no-pair-of-rows")
def no_pair_of_rows(failure: Failure) -> Hits:
    if JOINED in failure.message and not failure.passed_through("torch_geometric/utils/loop.py"):
        return
    size, dtype = failure.groups.get("size"), failure.groups.get("dtype")
    came = (
        f"{dtype}: edge_index.long()"
        if dtype
        else f"({size}, ...): edge_index.t().contiguous() for a list of pairs"
    )
    if size and not size.isdigit():
        came = f"of {size}: a list of pairs without an edge is torch.empty(2, 0, dtype=torch.long)"
    yield failure.hit(f"edge_index is long numbers of shape (2, E), and this is {came}")


@explains("node-that-is-not-there")
def node_that_is_not_there(failure: Failure) -> Hits:
    came, last = failure.groups["came"], failure.groups.get("last")
    there = f"the last row of x is {last}" if last else "rows of x begin at 0"
    yield failure.hit(f"an edge names node {came}, and {there}: {_edges_mended(failure)}")


@explains("edge-that-points-outside")
def edge_that_points_outside(failure: Failure) -> Hits:
    came, size = failure.groups.get("came"), failure.groups.get("size")
    node = f"node {came}, and x has {size} rows" if came else "a node that x has no row for"
    if _in_graph_layer(failure):
        yield failure.hit(f"an edge of edge_index names {node}: {_edges_mended(failure)}")


@explains("rows-for-other-nodes")
def rows_for_other_nodes(failure: Failure) -> Hits:
    came, nodes = failure.groups["came"], failure.groups["nodes"]
    yield failure.hit(say("features-have-rows-graph", nodes=came, nodes_2=nodes))


@explains("two-kinds-of-nodes")
def two_kinds_of_nodes(failure: Failure) -> Hits:
    layer = failure.groups["layer"]
    yield failure.hit(say("edges-between-two-kinds", layer=layer))


def _edges_mended(failure: Failure) -> str:
    """What to do about edges that point outside."""
    code = failure.code.text if failure.code is not None else ""
    if failure.contains("cached=True") or "cached=True" in f"{failure.context}\n{code}":
        return "cached=True keeps the edges of the first graph, and is for one graph alone"
    return "number the nodes anew from 0, or give x a row for each"


def _in_graph_layer(failure: Failure) -> bool:
    """Whether a layer of PyTorch Geometric raised, or, where no traceback is there, one is called beside."""
    if failure.frames:
        return any(GRAPHS.search(frame.posix) for frame in failure.frames)
    shown = f"{failure.context}\n{failure.message}\n{failure.surrounding}"
    known = failure.contains("torch_geometric") or failure.contains("edge_index")
    if not known:
        return PRINTED.search(shown) is not None and IN_FORWARD.search(shown) is not None
    return GRAPH_LAYER.search(f"{failure.message}\n{failure.surrounding}") is not None
