"""Source code: a tensor is indexed in more dimensions than it was created with."""

from __future__ import annotations

import ast

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Code
from keng.source.shapes import FACTORIES


@finds
def more_indices_than_dimensions(code: Code) -> Hits:
    for item in code.of(ast.Subscript):
        places = item.slice.elts if isinstance(item.slice, ast.Tuple) else []
        plain = [each for each in places if not _adds_none(each)]
        if len(plain) < 2 or len(plain) != len(places) or not isinstance(item.value, ast.Name):
            continue
        made = code.flow.assigned_value(item.value)
        shape = code.dimensions.shape(item.value) if _is_created(code, made) else None
        if shape is None or not shape.whole or len(plain) <= len(shape.sizes):
            continue
        if not code.modes.in_try_or_raises(item):
            given, has = len(plain), len(shape.sizes)
            says = say("more-indices-in-source", name=item.value.id, given=given, has=has)
            yield code.hit(item, says)


def _is_created(code: Code, made: ast.expr | None) -> bool:
    return isinstance(made, ast.Call) and code.names.resolve(made.func) in FACTORIES


def _adds_none(place: ast.expr) -> bool:
    """`...` and `None` take no dimension; what is unpacked may take any number."""
    constant = isinstance(place, ast.Constant) and not isinstance(place.value, int)
    return constant or isinstance(place, (ast.Starred, ast.Attribute))
