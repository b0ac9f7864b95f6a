"""Error messages: a tensor is viewed in an order that its memory does not have."""

from __future__ import annotations

import ast

from keng.explain.failure import Failure
from keng.model import Fix, Hits, say
from keng.rules import explains
from keng.source import Code


@explains("permuted-before")
def permuted_before(failure: Failure) -> Hits:
    there = failure.live.operands
    fix = failure.ask_line(_reshaped)
    if len(there) == 1:
        yield failure.hit(say("named-not-contiguous", name=there[0].name), fix=fix)
    else:
        yield failure.hit(say("not-contiguous"), fix=fix)


def _reshaped(code: Code, line: int) -> Fix | None:
    """A fix that calls `reshape` instead of the one `view` of a line."""
    calls = code.tree.on_line(line, ast.Call)
    views = [c.func for c in calls if isinstance(c.func, ast.Attribute) and c.func.attr == "view"]
    if len(views) != 1:
        return None
    edit = code.edits.rename_attribute(views[0], "reshape")
    return Fix(say("let-copy-where-must"), (edit,), "shown")
