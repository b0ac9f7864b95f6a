"""A running program: a logarithm is taken of a softmax or sigmoid."""

from __future__ import annotations

from typing import Any

from keng.model import Hits, say
from keng.rules import watches
from keng.run.facts.loss_graph import LossGraph

ROUNDED = {"SoftmaxBackward0": "softmax", "SigmoidBackward0": "sigmoid"}
BETTER = {"softmax": "log_softmax", "sigmoid": "logsigmoid", "1 + exp": "softplus"}


@watches(LossGraph)
def log_in_the_graph(graph: LossGraph) -> Hits:
    for node, inside in graph.nodes:
        of = _unstable_input(node) if node.name() == "LogBackward0" else ""
        if of:
            says = say("logarithm-not-finite-where", better=of, BETTER=BETTER[of])
            yield graph.hit(says, where=graph.line("log", inside))


def _unstable_input(log: Any) -> str:
    """What is rounded to 0, or overflows, before its logarithm is taken."""
    given = log.next_functions[0][0]
    if given is None:
        return ""
    of = ROUNDED.get(given.name(), "")
    return of or ("1 + exp" if _is_one_plus_exp(log, given) else "")


def _is_one_plus_exp(log: Any, given: Any) -> bool:
    edges = [after for after, _ in given.next_functions]
    powers = [after for after in edges if after is not None and after.name() == "ExpBackward0"]
    if given.name() != "AddBackward0" or len(powers) != 1:
        return False
    power, total = powers[0]._saved_result, log._saved_self
    if not power.is_cpu or power.shape != total.shape or not power.numel():
        return False
    return bool((power.reshape(-1)[:64] + 1 == total.reshape(-1)[:64]).all())
