"""A running program: dimensions are to change places, and `view` mixes their elements."""

from __future__ import annotations

from textwrap import shorten

from keng.model import Hits, Message, Span, say
from keng.rules import watches
from keng.run.facts.loss_graph import LossGraph
from keng.run.graph.nodes import computes_a_loss
from keng.run.reshaped_views import mixing, reshaping


@watches(LossGraph)
def elements_in_their_old_order(graph: LossGraph) -> Hits:
    found: dict[Span, Message] = {}
    for node, inside in graph.nodes:
        shapes = mixing(node)
        if shapes is None:
            continue
        written = reshaping(None if computes_a_loss(inside) else inside, len(shapes[1]))
        if written:
            call, where = written
            text = shorten(call, 60, placeholder=" ...")
            says = say("view-moves-no-element", call=text, made=shapes[1], given=shapes[0])
            found.setdefault(where, says)
    for where, says in found.items():
        yield graph.hit(says, where=where)
