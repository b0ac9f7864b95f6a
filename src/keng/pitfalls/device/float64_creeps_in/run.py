"""A running program: a model of float32 computes in float64."""

from __future__ import annotations

from typing import Any

import torch

from keng.model import Hits, say
from keng.pitfalls.device._shared_run import mentions
from keng.rules import watches
from keng.run.facts.loss_graph import LossGraph
from keng.run.graph.nodes import LEAF, PRODUCTS, dtype_of

SPOKEN = {"Mul": "mul", "Add": "add", "Sub": "sub", "Div": "div", "Cat": "cat", "Where": "where"}
MOVED = ("TBackward", "Transpose", "Permute", "View", "UnsafeView", "Expand")
DOUBLE = frozenset({"double", "float64"})


@watches(LossGraph)
def widened_by_an_operand(graph: LossGraph) -> Hits:
    """The first operation that makes float64 of float32, where all parameters are float32."""
    leaves = [node for node, _ in graph.nodes if node.name() == LEAF]
    if not leaves or any(dtype_of(leaf) is not torch.float32 for leaf in leaves):
        return
    for node, inside in graph.nodes:
        if inside is None or dtype_of(node) is not torch.float64:
            continue
        name = "to" if _casts_a_leaf(node) and not mentions(inside, DOUBLE) else _widens(node)
        if name:
            module = graph.run.module_name(inside)
            says = say("operand-widens", module=module)
            yield graph.hit(says, where=graph.line(name, inside), operation=name)
            return


def _widens(node: Any) -> str:
    """What computes with a wider number. A cast is meant."""
    before = [after for after, _ in node.next_functions if after is not None]
    name = SPOKEN.get(node.name().partition("Backward")[0], "")
    return name if all(dtype_of(after) is not torch.float64 for after in before) else ""


def _casts_a_leaf(node: Any) -> bool:
    """A matrix product with a parameter that was cast to the type of the other operand."""
    if not node.name().startswith(PRODUCTS):
        return False
    operands = (_moved(after) for after, _ in node.next_functions)
    casts = [each for each in operands if each is not None and each.name().startswith("ToCopy")]
    sources = (_moved(cast.next_functions[0][0]) for cast in casts)
    return any(source is not None and source.name() == LEAF for source in sources)


def _moved(node: Any) -> Any:
    """What a view is of, transposed or not."""
    while node is not None and node.name().startswith(MOVED):
        node = node.next_functions[0][0]
    return node
