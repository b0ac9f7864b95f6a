"""Source code: rows of two tensors, or of a tensor and its view, are numbered in different orders."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from textwrap import shorten

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Code
from keng.source.axes import Axis, Layouts, written_sizes
from keng.source.dimensions import ONE, Size
from keng.source.shapes import given_sizes

FEWEST = 3
"""A number of copies that is no coincidence in the sizes of a view."""
COPIES = ("repeat", "tile", "repeat_interleave", "cat", "concat")
MEETS = ("masked_fill", "masked_fill_", "add", "mul", "add_", "mul_")
ATTENTION = "torch.nn.MultiheadAttention"


@finds(mentions=COPIES)
def copies_split_in_another_order(code: Code) -> Hits:
    for call in code.calls.method_calls("view", "reshape"):
        base = code.layouts.axes(code.tree.receiver(call))
        joined = base.at(0) if base is not None and base.counted else None
        sizes = written_sizes(code.layouts, given_sizes(call))
        if joined is not None and sizes is not None and _split_wrongly(joined, sizes):
            text = shorten(code.text_of(call), 60, placeholder=" ...")
            given = shorten(code.text_of(code.tree.receiver(call)), 40, placeholder=" ...")
            yield code.hit(call, say("copies-split", call=text, name=given))


def _split_wrongly(joined: Axis, sizes: list[Size | None]) -> bool:
    """Whether a view of (times, rows) begins with (rows, times), or the reverse."""
    if len(joined.factors) != 2 or len(sizes) < 3 or sizes[0] in (ONE, joined.size):
        return False
    slow, fast = joined.factors
    if sizes[0] == slow or slow == fast:
        return False
    return (sizes[1] == slow and _is_known(slow)) or (sizes[0] == fast and _is_known(fast))


def _is_known(size: Size) -> bool:
    return size.constant is None or size.constant >= FEWEST


@finds(mentions=COPIES)
def rows_meet_in_another_order(code: Code) -> Hits:
    for both, one, other in _meetings(code):
        first, second = _joined(code.layouts, one), _joined(code.layouts, other)
        if first is None or second is None or not _crossed(first, second):
            continue
        names = [shorten(code.text_of(each), 40, placeholder=" ...") for each in (one, other)]
        yield code.hit(both, say("rows-cross", one=names[0], other=names[1]))


def _joined(layouts: Layouts, node: ast.expr) -> Axis | None:
    axes = layouts.axes(node)
    axis = axes.at(0) if axes is not None and axes.counted else None
    return axis if axis is not None and len(axis.factors) == 2 else None


def _crossed(one: Axis, other: Axis) -> bool:
    """Whether (batch, heads) meets (heads, batch). Two kinds of copies of the same rows make all pairs."""
    if one.copies and other.copies:
        return False
    (a, b), (c, d) = one.factors, other.factors
    return (a == d or b == c) and a != c and b != d


def _meetings(code: Code) -> Iterator[tuple[ast.expr, ast.expr, ast.expr]]:
    for both in code.of(ast.BinOp):
        yield both, both.left, both.right
    for call in code.calls.method_calls(*MEETS):
        if call.args:
            yield call, code.tree.receiver(call), call.args[0]
    for call in code.calls.calls_named("bmm"):
        first = code.layouts.operand(call)
        others = [each for each in call.args if each is not first]
        if first is not None and len(others) == 1:
            yield call, first, others[0]


@finds(mentions=[ATTENTION])
def mask_repeated_for_heads(code: Code) -> Hits:
    """The rows of a mask of `MultiheadAttention` are numbered `sample * heads + head`."""
    for keyword in code.of(ast.keyword):
        call = code.tree.parent[keyword]
        if keyword.arg != "attn_mask" or not isinstance(call, ast.Call):
            continue
        layer = code.types.value_of(call.func)
        joined = _joined(code.layouts, keyword.value) if layer.dotted == ATTENTION else None
        heads = code.calls.argument(layer.call, "num_heads", 1) if layer.call is not None else None
        if joined is None or heads is None:
            continue
        if joined.factors[0] == code.dimensions.size(heads):
            text = shorten(code.text_of(keyword.value), 40, placeholder=" ...")
            yield code.hit(keyword.value, say("mask-of-heads", mask=text))
