"""Source code: a tensor is viewed in an order that its memory does not have."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise
from math import prod
from typing import NamedTuple

from keng.model import Fix, Hits, say
from keng.rules import finds
from keng.source import Code, Kind
from keng.source.shapes import filled, given_sizes

SHAPED_LIKE_FIRST = frozenset(
    f"torch.nn.functional.{name}" for name in ("softmax", "log_softmax", "dropout", "relu", "gelu")
)
"""Functions whose result lies in memory as their first argument does."""
SHAPED_LIKE_SELF = frozenset({"softmax", "masked_fill", "clone", "relu", "to", "float", "type_as"})


class Named(NamedTuple):
    """Sizes as they are written, and where each dimension stood when the memory was in order."""

    sizes: tuple[str, ...]
    order: tuple[int, ...]

    @classmethod
    def in_order(cls, sizes: list[str]) -> Named | None:
        known = sizes and not any(size.startswith("*") for size in sizes)
        return cls(tuple(sizes), tuple(range(len(sizes)))) if known else None

    def permuted(self, order: list[int]) -> Named:
        return Named(tuple(self.sizes[n] for n in order), tuple(self.order[n] for n in order))

    def joins_apart(self, new: list[str]) -> bool:
        """Whether a view in other sizes joins dimensions that do not lie in one piece: those that keep
        their size at the front and the back aside, fewer are asked for than there are pieces."""
        sizes, order = list(self.sizes), list(self.order)
        while sizes and new and sizes[-1] == new[-1]:
            del sizes[-1], order[-1], new[-1]
        while sizes and new and sizes[0] == new[0]:
            del sizes[0], order[0], new[0]
        pieces = 1 + sum(after != before + 1 for before, after in pairwise(order))
        plain = not any(size.startswith("*") for size in new)
        return plain and 0 < len(new) < pieces and order != sorted(order)


@finds(fixes=True, mentions=["view"])
def viewed_across_its_memory(code: Code) -> Hits:
    for call in _views_that_fail(code):
        fix = Fix(say("let-reshape-copy"), (code.edits.rename_attribute(call.func, "reshape"),))
        yield code.hit(call, say("not-contiguous"), fix=fix)


def _views_that_fail(code: Code) -> Iterator[ast.Call]:
    """The calls of `view` on tensors whose memory does not lie in that order."""
    for call in code.calls.method_calls("view"):
        assert isinstance(call.func, ast.Attribute)
        base, sizes = code.shapes.layout(call.func.value), code.shapes.sizes(call)
        new = filled(sizes, prod(base.shape)) if base and sizes else None
        told = base and new and not base.fits(new)
        if told or (not base and _joins_apart(code, call)):
            yield call


def _joins_apart(code: Code, call: ast.Call) -> bool:
    """Whether a view joins dimensions that a transposition has moved apart, told by the sizes as
    they are written: `x.view(b, t, h, d).transpose(1, 2).view(b, t, h * d)`."""
    assert isinstance(call.func, ast.Attribute)
    named = _named_layout(code, call.func.value)
    if named is None or any(size == "1" for size in named.sizes):
        return False
    given = given_sizes(call)
    if len(given) == 1 and code.types.kind_of(given[0]) is not Kind.NUMBER:
        return False  # perhaps a whole shape: `x.view(shape[:-2] + x.shape[-2:])`
    return named.joins_apart([ast.unparse(size) for size in given])


def _named_layout(code: Code, node: ast.expr | None, depth: int = 8) -> Named | None:
    """How a tensor lies in memory, its sizes as they are written, "" where that does not show; None
    where it is not known that it was in order at first."""
    if isinstance(node, ast.Name) and depth:
        found = code.flow.reaching_definitions(node)
        if len(found) != 1 or found[0].how != "assign":
            return None
        value, path = found[0].value, found[0].path
        if isinstance(value, (ast.GeneratorExp, ast.ListComp)) and len(path) == 1:
            return _named_layout(code, value.elt, depth - 1)
        return _named_layout(code, value, depth - 1) if not path else None
    if isinstance(node, ast.BinOp) and _is_number(code, node.right) and depth:
        return _named_layout(code, node.left, depth - 1)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult) and depth:
        return _named_product(code, node.left, node.right, depth)
    if isinstance(node, ast.Call) and depth:
        return _named_by(code, node, depth)
    return None


def _named_product(code: Code, left: ast.expr, right: ast.expr, depth: int) -> Named | None:
    """A product of matrices, which is new in memory."""
    sides = [_named_layout(code, side, depth - 1) for side in (left, right)]
    ranks = [len(side.sizes) for side in sides if side is not None]
    return Named.in_order([""] * max(ranks)) if ranks and max(ranks) > 2 else None


def _is_number(code: Code, node: ast.expr) -> bool:
    """Whether an operand is a plain number, so that the result lies as the other one does."""
    computed = isinstance(node, ast.Call) and code.names.resolve(node.func).startswith("math.")
    return computed or code.types.kind_of(node) is Kind.NUMBER


def _named_by(code: Code, call: ast.Call, depth: int) -> Named | None:
    method = call.func
    dotted = code.names.resolve(method)
    if dotted in SHAPED_LIKE_FIRST and call.args:
        return _named_layout(code, call.args[0], depth - 1)
    if dotted in ("torch.matmul", "torch.bmm") and len(call.args) == 2:
        return _named_product(code, call.args[0], call.args[1], depth)
    if dotted or not isinstance(method, ast.Attribute):
        return None
    if method.attr in ("view", "reshape"):
        return Named.in_order([ast.unparse(size) for size in given_sizes(call)])
    base = _named_layout(code, method.value, depth - 1)
    if base is None or method.attr in SHAPED_LIKE_SELF:
        return base
    order = code.shapes.permutation(call, method.attr, len(base.sizes))
    return base.permuted(order) if order is not None else None
