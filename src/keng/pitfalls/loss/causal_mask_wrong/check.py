"""Source code: a triangular mask hides the past, a position from itself, or nothing."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Code
from keng.source.masks import Taken, Truth

TRIANGLES = ("tril", "triu")
BACKWARDS = re.compile(r"back|rev|anti|future|look_?ahead_only", re.IGNORECASE)
"""Names of models that read from the end."""
CHOOSES = frozenset(["argmax", "topk", "max", "sort", "argsort", "multinomial", "min"])


@finds(mentions=TRIANGLES)
def triangle_misread(code: Code) -> Hits:
    for taken in _takers(code):
        truth = code.masks.truth(taken.mask)
        if truth is None or truth.shift is None or not _is_attention(code, taken):
            continue
        says = _says(taken, truth, code.text_of(taken.mask))
        if says:
            yield code.hit(taken.mask, says)


def _takers(code: Code) -> Iterator[Taken]:
    yield from code.masks.taken()
    yield from code.masks.taken_by_functions()


def _says(taken: Taken, truth: Truth, mask: str) -> str:
    """What is wrong with a triangle, by what is True in it and what its taker does there."""
    if truth.floats and not taken.fills:
        return say("numbers-added", mask=mask, taker=taken.taker)
    if truth.keeps != taken.keeps:
        return say("past-hidden", mask=mask, taker=taken.taker)
    if (truth.shift or 0) <= 0:
        return say("hides-itself", mask=mask, taker=taken.taker)
    return say("next-seen", mask=mask, taker=taken.taker) if truth.shift == 2 else ""


def _is_attention(code: Code, taken: Taken) -> bool:
    """Whether scores become weights where the mask is taken, of a model that reads from the start."""
    body = code.tree.enclosing_body(taken.mask)
    names = [getattr(body, "name", ""), code.text_of(taken.mask), _class_around(code, taken.mask)]
    if any(BACKWARDS.search(name) for name in names):
        return False
    if not taken.fills or "(" in taken.taker:
        return True
    called = {code.calls.attribute_name(call.func) for call in code.below(body, ast.Call)}
    return any("softmax" in name.lower() for name in called) and not called & CHOOSES


def _class_around(code: Code, node: ast.AST) -> str:
    owner = code.tree.enclosing_class(node)
    return owner.name if owner is not None else ""
