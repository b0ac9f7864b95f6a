"""Source code: attention weights are normalized over one axis and summed over another."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from textwrap import shorten
from typing import NamedTuple

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Code
from keng.source.axes import Axes, letters, ranked

SOFTMAX = ("softmax", "log_softmax", "Softmax")


ASSIGNS = re.compile(r"assign|slot|cluster|rout|code|centr|group|anchor", re.IGNORECASE)
"""Names of weights that share out each value among several sums."""


class Summed(NamedTuple):
    """An operand of a product, of which the product sums over the last dimension."""

    product: ast.expr
    operand: ast.expr
    rank: int | None = None


@finds(mentions=SOFTMAX)
def normalized_elsewhere(code: Code) -> Hits:
    reported: set[ast.AST] = set()
    for each in _sums(code):
        axes = code.layouts.axes(each.operand)
        known = ranked(axes, each.rank) if axes is not None and each.rank is not None else axes
        softmax = _normalized_elsewhere(known) if known is not None else None
        if softmax is None or softmax not in code.tree.parent or softmax in reported:
            continue
        if not ASSIGNS.search(code.text_of(each.product) + code.text_of(softmax)):
            reported.add(softmax)
            call = shorten(code.text_of(softmax), 60, placeholder=" ...")
            product = shorten(code.text_of(each.product), 60, placeholder=" ...")
            yield code.hit(softmax, say("softmax-axis", call=call, product=product))


def _normalized_elsewhere(axes: Axes) -> ast.Call | None:
    """The softmax of weights that went over another axis than the last."""
    last, counted = axes.at(-1), axes.opened(-1)
    row = counted.before if counted.rest is None else counted.after
    normalized = [axis.softmax for axis in row if axis.softmax is not None]
    if last is None or last.softmax is not None or len(normalized) != 1:
        return None
    return normalized[0]


def _sums(code: Code) -> Iterator[Summed]:
    """Products that sum over the last dimension of their first operand, as attention does over the keys. A
    product of transposed weights may share out each value, as soft assignments to clusters do."""
    for both in code.of(ast.BinOp):
        if isinstance(both.op, ast.MatMult):
            yield Summed(both, both.left)
    for name in ("matmul", "bmm"):
        for call in code.calls.calls_named(name):
            first = code.layouts.operand(call)
            if first is not None:
                yield Summed(call, first, 3 if name == "bmm" else None)
    for call in code.calls.calls_named("einsum"):
        terms = letters(code.layouts, call) or [[]]
        for written, given in zip(terms[:-1], call.args[1:], strict=False):
            gone = [letter for letter in written if letter not in terms[-1]]
            if len(gone) == 1 and written[-1] == gone[0]:
                yield Summed(call, given, len(written))
