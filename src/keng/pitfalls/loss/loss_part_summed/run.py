"""A running program: one part of the loss is a sum over the batch, and the other is an average of it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import islice
from math import prod
from typing import TYPE_CHECKING, Any

from keng.model import Hits, Span, say
from keng.rules import watches
from keng.run.facts.loss_graph import LossGraph
from keng.run.graph.nodes import PRODUCTS, made_by
from keng.run.state import unwatched
from keng.run.user_code import last_word, running

if TYPE_CHECKING:
    from keng.source.code import Code

PAIRED = ("MulBackward0", "AddBackward0", "SubBackward0")
MEANS = ("MeanBackward0", "MseLossBackward0", "L1LossBackward0", "SmoothL1LossBackward0",
         "BinaryCrossEntropyBackward0", "BinaryCrossEntropyWithLogitsBackward0")  # fmt: skip
MEAN = 1
SCALES = ("MulBackward0", "NegBackward0", "AddBackward0", "SubBackward0")
"""What a scalar may go through and stay the same sum, with a number as the other operand."""
SMALL = 0.1
"""A factor below it is a weight that the program has chosen, and may stand for a division."""
BATCH, WIDE = 4, 2
"""Rows of a batch at least; values of a row."""
NEAR, BEHIND = 300, 400
"""Nodes from the loss on that are compared; nodes behind a sum in which a layer is looked for."""


@watches(LossGraph)
def parts_of_different_size(fact: LossGraph) -> Hits:
    nodes = fact.nodes[:NEAR]
    modules = dict(fact.nodes)
    for node, module in nodes:
        if node.name() not in PAIRED:
            continue
        operands = [after for after, _ in node.next_functions]
        sums = [found for each in operands if (found := _sum_of(each)) is not None]
        if not sums:
            continue
        out, shape = _shape_of(node), sums[0]
        if out is None:
            continue
        values = {"shape": _spoken(shape), "rows": shape[0]}
        where = _line_of_sum() or fact.line("sum", modules.get(node, module))
        if out and prod(out) > 1 and out[0] == shape[0]:
            says = say("sum-at-each-row", **values, out=_spoken(out))
            yield fact.hit(says, where=where)
            return
        mean = next((m for each in operands if (m := _mean_of(each)) is not None), None)
        if not out and node.name() != "MulBackward0" and mean is not None and mean[0] == shape[0]:
            yield fact.hit(say("sum-and-mean", **values, mean=_spoken(mean)), where=where)
            return


def _line_of_sum() -> Span | None:
    """The one line of the running function, or else of its file, that sums over all dimensions."""
    now = running()
    if now is None:
        return None
    code, body, _ = now
    for inside in (body, code.tree.root):
        lines = {n.lineno for n in code.below(inside, ast.Call) if _sums_all(code, n)}
        if lines:
            return Span(code.path, lines.pop()) if len(lines) == 1 else None
    return None


def _sums_all(code: Code, call: ast.Call) -> bool:
    if call.keywords or not code.calls.may_be_named(call.func, {"sum"}):
        return False
    of_torch = isinstance(call.func, ast.Attribute) and last_word(call.func.value) == "torch"
    return isinstance(call.func, ast.Attribute) and len(call.args) == int(of_torch)


def _sum_of(node: Any) -> tuple[int, ...] | None:
    """The shape of what a scalar is the sum of, apart from factors near 1: a batch that a layer computed."""
    node = _unscaled(node)
    if node is None or node.name() != "SumBackward0":
        return None
    shape = tuple(int(size) for size in node._saved_self_sym_sizes)
    wide = len(shape) > 1 and shape[0] >= BATCH and prod(shape[1:]) >= WIDE
    return shape if wide and _has_layer(node) else None


def _mean_of(node: Any) -> tuple[int, ...] | None:
    """The shape of what a scalar is the mean of, over rows of several values."""
    node = _unscaled(node)
    if node is None or node.name() not in MEANS:
        return None
    if node.name() == "MeanBackward0":
        sizes = node._saved_self_sym_sizes
    elif getattr(node, "_saved_reduction", None) == MEAN:
        sizes = node._saved_self.shape
    else:
        return None
    shape = tuple(int(size) for size in sizes)
    return shape if len(shape) > 1 and prod(shape[1:]) >= WIDE else None


def _unscaled(node: Any) -> Any:
    """What a scalar is made of, through signs, numbers that are added, and factors that are not small."""
    for _ in range(6):
        if node is None or _shape_of(node) != () or node.name() not in SCALES:
            return node
        operands = [after for after, _ in node.next_functions if after is not None]
        if len(operands) != 1 or (node.name() == "MulBackward0" and _is_small(node)):
            return None
        node = operands[0]
    return None


def _is_small(node: Any) -> bool:
    at = 0 if node.next_functions[0][0] is not None else 1
    factor = node._saved_other if at == 0 else node._saved_self
    with unwatched():
        return (
            factor is None or factor.numel() != 1 or not factor.is_cpu or abs(float(factor)) < SMALL
        )


def _has_layer(node: Any) -> bool:
    """Whether a matrix product or a convolution is behind it: the square of a weight is no part of a batch."""
    return any(each.name().startswith(PRODUCTS) for each in islice(_behind(node), BEHIND))


def _behind(node: Any) -> Iterator[Any]:
    waiting, seen = [node], set()
    while waiting:
        at = waiting.pop()
        if at is not None and at not in seen:
            seen.add(at)
            yield at
            waiting.extend(after for after, _ in at.next_functions)


def _shape_of(node: Any) -> tuple[int, ...] | None:
    """Of what an operation has made; None where torch does not say."""
    made = made_by(node)
    return tuple(int(size) for size in made[0].shape) if made else None


def _spoken(shape: tuple[int, ...]) -> str:
    return " x ".join(map(str, shape))
