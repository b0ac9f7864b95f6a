"""A running program: a running total keeps the graph of every step alive."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import HeldGraphs


@watches("graphs.held")
def one_more_graph_each_step(held: HeldGraphs) -> Hits:
    holder = held.holder
    if holder is None or holder.bounded:
        return
    memory = held.bytes / 2**20
    says = f"`{holder.name}` holds the graphs of {held.graphs} steps, about {memory:.2g} MB, and one more each step"
    yield held.hit(
        says, where=holder.where, graphs=held.graphs, holder=holder.name, bytes=held.bytes
    )
