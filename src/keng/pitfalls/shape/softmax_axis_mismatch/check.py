"""Source code: attention weights are normalized over one axis and summed over another."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from textwrap import shorten
from typing import NamedTuple

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Code
from keng.source.axes import Axes, letters, ranked

PRODUCTS = ("matmul", "bmm", "einsum")
SOFTMAX = ("softmax", "log_softmax", "Softmax")


class Summed(NamedTuple):
    """An operand of a product, and the dimension of it that the product sums over."""

    product: ast.expr
    operand: ast.expr
    dimension: int
    rank: int | None = None


@finds(mentions=SOFTMAX)
def normalized_elsewhere(code: Code) -> Hits:
    reported: set[ast.AST] = set()
    for each in _sums(code):
        axes = code.layouts.axes(each.operand)
        if axes is None:
            continue
        known = ranked(axes, each.rank) if each.rank is not None else axes
        softmax = _normalized_elsewhere(known, each.dimension) if known is not None else None
        if softmax is not None and softmax in code.tree.parent and softmax not in reported:
            reported.add(softmax)
            yield code.hit(softmax, _says(code, softmax, each, known))


def _says(code: Code, softmax: ast.Call, each: Summed, axes: Axes | None) -> str:
    call = shorten(code.text_of(softmax), 60, placeholder=" ...")
    product = shorten(code.text_of(each.product), 60, placeholder=" ...")
    return say("softmax-axis", call=call, product=product)


def _normalized_elsewhere(axes: Axes, dimension: int) -> ast.Call | None:
    """The softmax of weights that went over another axis than the one that is summed over."""
    summed = axes.at(dimension)
    counted = axes.opened(dimension)
    row = counted.before if counted.rest is None or dimension >= 0 else counted.after
    normalized = [axis.softmax for axis in row if axis.softmax is not None]
    if summed is None or summed.softmax is not None or len(normalized) != 1:
        return None
    return normalized[0]


def _sums(code: Code) -> Iterator[Summed]:
    for both in code.of(ast.BinOp):
        if isinstance(both.op, ast.MatMult):
            yield Summed(both, both.left, -1)
            yield Summed(both, both.right, -2)
    for name in PRODUCTS:
        for call in code.calls.calls_named(name):
            yield from _summed_by(code, call, name)


def _summed_by(code: Code, call: ast.Call, name: str) -> Iterator[Summed]:
    first = code.layouts.operand(call)
    if name != "einsum":
        others = [each for each in call.args if each is not first]
        if first is not None and len(others) == 1:
            rank = 3 if name == "bmm" else None
            yield Summed(call, first, -1, rank)
            yield Summed(call, others[0], -2, rank)
        return
    terms = letters(code.layouts, call)
    for n, written in enumerate(terms[:-1] if terms is not None else ()):
        gone = [m for m, letter in enumerate(written) if terms and letter not in terms[-1]]
        if len(gone) == 1 and n + 1 < len(call.args):
            yield Summed(call, call.args[n + 1], gone[0], len(written))
