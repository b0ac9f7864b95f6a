"""A running program: dimensions are to change places, and `view` mixes their elements."""

from __future__ import annotations

from textwrap import shorten

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import LossGraph


@watches("loss.graph")
def elements_in_their_old_order(graph: LossGraph) -> Hits:
    for view in graph.mixed:
        text = shorten(view.call, 60, placeholder=" ...")
        says = f"`{text}` makes {view.made} of {view.given} and moves no element"
        cure = "transpose the dimensions, after the split or before the join of heads"
        yield graph.hit(f"{says}: {cure}", where=view.where)
