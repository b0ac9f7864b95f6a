"""Error messages: a mask is made of bytes instead of booleans."""

from __future__ import annotations

import ast
import re

from keng.explain.failure import Failure
from keng.model import Fix, Hits, Message, say
from keng.rules import explains
from keng.source import Code


@explains("bytes-given")
def bytes_given(failure: Failure) -> Hits:
    what = failure.groups.get("what") or ""
    masks = [o.name for o in failure.live.operands if o.dtype in ("uint8", "int64", "int32")]
    name = masks[0] if len(masks) == 1 else "mask"
    fix = failure.rewrite(name, f"{name}.bool()") if masks == [name] else None
    fix = fix or (failure.ask_line(_masked_by_bools) if what.startswith("masked_") else None)
    yield failure.hit(_needs_boolean(failure, what, name), fix)


def _needs_boolean(failure: Failure, what: str, name: str) -> Message:
    function: Message | str = what or say("an-index")
    came = (failure.groups.get("came") or "").replace("unsigned char", "uint8")
    if came:
        return say("boolean-needed", function=function, came=came, name=name)
    if "expected BoolTensor for" in failure.message:
        return say("boolean-needed-for-dtype", function=function, name=name)
    return say("boolean-needed-for-bytes", function=function, name=name)


ONE_MINUS = re.compile(r"(?<![\w.])1(?:\.0?)? ?- ?([A-Za-z_][\w.]*|\([\w.]+ ?[=!<>]=? ?[\w.]+\))")
"""A mask, or a comparison that makes one, that is taken from 1."""


@explains("booleans-subtracted")
def booleans_subtracted(failure: Failure) -> Hits:
    if failure.passed_through("torch/nn/functional.py"):
        yield failure.hit(say("loss-of-masks"))
        return
    if "two bool" in failure.message:
        yield failure.hit(say("two-masks-subtracted"))
        return
    masks = [operand.name for operand in failure.live.operands if operand.dtype.endswith("bool")]
    written = ONE_MINUS.search(failure.line)
    name = masks[0] if masks else written[1] if written else "mask"
    fix = failure.ask_line(_inverted, name)
    says = say("boolean-negated", name=name)
    if not (fix or written or "Negation" in failure.message):
        says = say("boolean-subtracted", name=name)
    yield failure.hit(says, fix)


def _inverted(code: Code, line: int, mask: str) -> Fix | None:
    """A fix for `1 - mask` on a line."""
    for minus in code.tree.on_line(line, ast.BinOp):
        of_one = isinstance(minus.op, ast.Sub) and code.flow.is_constant(minus.left, 1)
        if of_one and code.text_of(minus.right) == mask:
            return Fix(say("invert-mask"), (code.edits.replace(minus, f"~{mask}"),), "shown")
    return None


def _masked_by_bools(code: Code, line: int) -> Fix | None:
    """A fix that makes a mask of bools of what the one `masked_fill` or the like on a line is given; `~`
    of numbers flips bits, and is left as it is."""
    calls = [c for c in code.tree.on_line(line, ast.Call) if isinstance(c.func, ast.Attribute)]
    masking = [c for c in calls if getattr(c.func, "attr", "").startswith("masked_")]
    at = 1 if masking and code.names.resolve(masking[0].func).startswith("torch.") else 0
    mask = code.calls.argument(masking[0], "mask", at) if len(masking) == 1 else None
    if mask is None or isinstance(mask, ast.UnaryOp):
        return None
    return Fix(say("write-bool"), (code.edits.append(mask, ".bool()"),), "shown")
