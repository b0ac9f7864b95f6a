"""A running program: a logarithm is taken of a softmax or sigmoid."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import LossGraph

BETTER = {"softmax": "log_softmax", "sigmoid": "logsigmoid", "1 + exp": "softplus"}


@watches("loss.graph")
def log_in_the_graph(graph: LossGraph) -> Hits:
    for log in graph.logarithms:
        better = BETTER[log.of]
        says = f"the logarithm of {log.of} is not finite where the model is sure; {better} is"
        yield graph.hit(says, where=log.where)
