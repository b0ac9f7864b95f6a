"""Error messages: the edges of a graph do not fit its nodes."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, Message, say
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
    if dtype:
        yield failure.hit(say("edge-index-dtype", dtype=dtype))
    elif size and not size.isdigit():
        yield failure.hit(say("edge-index-without-edges", size=size))
    else:
        yield failure.hit(say("edge-index-shape", size=size))


@explains("node-that-is-not-there")
def node_that_is_not_there(failure: Failure) -> Hits:
    came, last = failure.groups["came"], failure.groups.get("last")
    advice = _on_edges(failure)
    if last:
        yield failure.hit(say("node-past-last-row", came=came, last=last, advice=advice))
    else:
        yield failure.hit(say("node-below-zero", came=came, advice=advice))


@explains("edge-that-points-outside")
def edge_that_points_outside(failure: Failure) -> Hits:
    came, size = failure.groups.get("came"), failure.groups.get("size")
    if not _in_graph_layer(failure):
        return
    advice = _on_edges(failure)
    if came:
        yield failure.hit(say("node-without-row", came=came, size=size, advice=advice))
    else:
        yield failure.hit(say("some-node-without-row", advice=advice))


def _on_edges(failure: Failure) -> Message:
    """What to do about edges that point outside."""
    code = failure.code.text if failure.code is not None else ""
    if failure.contains("cached=True") or "cached=True" in f"{failure.context}\n{code}":
        return say("cached-edges")
    return say("renumber-nodes")


def _in_graph_layer(failure: Failure) -> bool:
    """Whether a layer of PyTorch Geometric raised, or, where no traceback is there, one is called beside."""
    if failure.frames:
        return any(GRAPHS.search(frame.posix) for frame in failure.frames)
    shown = f"{failure.context}\n{failure.message}\n{failure.surrounding}"
    known = failure.contains("torch_geometric") or failure.contains("edge_index")
    if not known:
        return PRINTED.search(shown) is not None and IN_FORWARD.search(shown) is not None
    return GRAPH_LAYER.search(f"{failure.message}\n{failure.surrounding}") is not None
