"""A running program: a model of float32 computes in float64."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import LossGraph


@watches("loss.graph")
def widened_by_an_operand(graph: LossGraph) -> Hits:
    wide = graph.widened
    if wide is not None:
        says = f"an operand makes float64 of what `{wide.module}` computes in float32"
        yield graph.hit(says, where=wide.where, operation=wide.operation)
