"""Source code: a tensor meets its own reduction without the dimension that was reduced."""

from __future__ import annotations

import ast
from textwrap import shorten

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Code
from keng.source.axes import REDUCES, Axes, Rest

ELEMENTWISE = (ast.Sub, ast.Div, ast.Add, ast.Mult)


@finds(mentions=sorted(REDUCES))
def met_without_dimension(code: Code) -> Hits:
    for both in code.of(ast.BinOp):
        if not isinstance(both.op, ELEMENTWISE):
            continue
        for whole, part in ((both.left, both.right), (both.right, both.left)):
            one, other = code.layouts.axes(whole), code.layouts.axes(part)
            if one is None or other is None:
                continue
            at = _misaligned(one, other)
            if at is not None:
                text = shorten(code.text_of(both), 60, placeholder=" ...")
                yield code.hit(both, say("keepdim", expression=text, dim=at), sure=False)


def _misaligned(one: Axes, other: Axes) -> int | None:
    """The dimension that was reduced, where a tensor as it came meets its own reduction so that an axis of
    that is put against another."""
    key = one.rest.key if one.rest is not None and not (one.before or one.after) else None
    if (
        key is None
        or one.rest != Rest(key, 0, 0)
        or other.rest is None
        or other.rest.key is not key
    ):
        return None
    if other.rest.stop == 0 and not other.after:
        gone = other.rest.start - len(other.before)
        return other.rest.start - 1 if gone == 1 and other.before else None
    gone = other.rest.stop - len(other.after)
    return -other.rest.stop if gone == 1 and not other.before and other.rest.start == 0 else None
