"""A running program: what a sigmoid or softmax has made goes through one again."""

from __future__ import annotations

from typing import Any

from keng.model import Hits, say
from keng.rules import watches
from keng.run.facts.loss_graph import LossGraph
from keng.run.facts.losses import MAKERS, VIEWS

SEEN_THROUGH = VIEWS | {"IndexBackward0", "SplitBackward0", "UnbindBackward0"}
"""Views, and choices of rows or classes."""
AGAIN = {"SigmoidBackward0": ("sigmoid", "softmax"), "SoftmaxBackward0": ("softmax",)}
"""An operation, and what it undoes most of when that made its input. A softmax of sigmoids is a choice of gates."""


@watches(LossGraph)
def squashed_twice(graph: LossGraph) -> Hits:
    for node, inside in graph.nodes:
        made_by = MAKERS.get(_maker_of(node), "")
        if made_by and made_by in AGAIN.get(node.name(), ()):
            again = MAKERS[node.name()]
            says = say("made-again", again=again, first=made_by)
            yield graph.hit(says, where=graph.line(again, inside))
            return


def _maker_of(node: Any) -> str:
    """The operation that made what another is given, apart from views. A softmax over another dimension is of
    other shares, and nothing shows over which one it is behind a view."""
    before = node.next_functions[0][0] if node.next_functions else None
    viewed = False
    while before is not None and before.name() in SEEN_THROUGH:
        before, viewed = before.next_functions[0][0], True
    if before is None:
        return ""
    if node.name() == before.name() == "SoftmaxBackward0":
        alike = not viewed and node._saved_dim == before._saved_dim
        return before.name() if alike else ""
    return str(before.name())
