"""Error messages: a mask for attention is of a dtype that it does not take."""

from __future__ import annotations

import ast

from keng.explain.failure import Failure
from keng.model import Fix, Hits, say
from keng.rules import explains
from keng.source import Code

WHOLE = ("long int", "int", "short int", "unsigned char", "signed char")
"""Whole numbers, as C++ calls their types."""


@explains("neither-bools-nor-as-the-query")
def neither_bools_nor_as_the_query(failure: Failure) -> Hits:
    came = failure.groups["came"].removeprefix("c10::")
    if came in WHOLE:
        yield failure.hit(say("mask-of-integers", dtype=came), failure.ask_line(_mask_as_bool))
    else:
        yield failure.hit(say("mask-of-another-float", dtype=came))


def _mask_as_bool(code: Code, line: int) -> Fix | None:
    """A fix that gives the attention on a line a mask of bools."""
    sdpa = "torch.nn.functional.scaled_dot_product_attention"
    calls = [c for c in code.tree.on_line(line, ast.Call) if code.names.resolve(c.func) == sdpa]
    mask = code.calls.argument(calls[0], "attn_mask", 3) if len(calls) == 1 else None
    if mask is None:
        return None
    return Fix(say("write-bool"), (code.edits.append(mask, ".bool()"),), "shown")
