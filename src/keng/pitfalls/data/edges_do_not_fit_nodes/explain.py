"""Error messages: the edges of a graph do not fit its nodes."""

from __future__ import annotations

from keng.explain.advice.fits import edges_mended, in_graph_layer
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains

JOINED = "Sizes of tensors must match except in dimension 1."


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
    yield failure.hit(f"an edge names node {came}, and {there}: {edges_mended(failure)}")


@explains("edge-that-points-outside")
def edge_that_points_outside(failure: Failure) -> Hits:
    came, size = failure.groups.get("came"), failure.groups.get("size")
    node = f"node {came}, and x has {size} rows" if came else "a node that x has no row for"
    if in_graph_layer(failure):
        yield failure.hit(f"an edge of edge_index names {node}: {edges_mended(failure)}")


@explains("rows-for-other-nodes")
def rows_for_other_nodes(failure: Failure) -> Hits:
    came, nodes = failure.groups["came"], failure.groups["nodes"]
    yield failure.hit(
        f"the features have {came} rows, and the graph has {nodes} nodes: nodes without edges count too (num_nodes=...)"
    )


@explains("two-kinds-of-nodes")
def two_kinds_of_nodes(failure: Failure) -> Hits:
    layer = failure.groups["layer"]
    yield failure.hit(
        f"edges between two kinds of nodes are nothing for {layer}: SAGEConv, GraphConv or GATConv((-1, -1), ...)"
    )
