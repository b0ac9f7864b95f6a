"""A running program: dimensions are to change places, and `view` mixes their elements."""

from __future__ import annotations

from textwrap import shorten

from keng.model import Hits, Span
from keng.rules import watches
from keng.run.facts.loss_graph import LossGraph
from keng.run.graph.nodes import computes_a_loss
from keng.run.reshaped_views import mixing, reshaping

CURE = "transpose the dimensions, after the split or before the join of heads"


@watches(LossGraph)
def elements_in_their_old_order(graph: LossGraph) -> Hits:
    found: dict[Span, str] = {}
    for node, inside in graph.nodes:
        shapes = mixing(node)
        if shapes is None:
            continue
        written = reshaping(None if computes_a_loss(inside) else inside, len(shapes[1]))
        if written:
            call, where = written
            says = f"`{shorten(call, 60, placeholder=' ...')}` makes {shapes[1]} of {shapes[0]}"
            found.setdefault(where, f"{says} and moves no element: {CURE}")
    for where, says in found.items():
        yield graph.hit(says, where=where)
