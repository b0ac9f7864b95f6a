"""Source code: the elements of a tensor are put into a set or are keys of a dictionary."""

from __future__ import annotations

import ast

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Code, Kind

COLLECTS = ("builtins.set", "builtins.frozenset", "collections.Counter")


@finds(mentions=["set", "frozenset", "Counter"])
def elements_as_keys(code: Code) -> Hits:
    for call in code.calls.calls_to(*COLLECTS):
        given = call.args[0] if len(call.args) == 1 else None
        if given is not None and _is_tensor(code, given) and not code.modes.in_try_or_raises(call):
            yield code.hit(call, say("elements-in-set", tensor=code.text_of(given)))


def _is_tensor(code: Code, node: ast.expr) -> bool:
    """Whether an expression is a tensor that torch made, or a piece of one."""
    while isinstance(node, ast.Subscript):
        node = node.value
    value = code.flow.assigned_value(node) if isinstance(node, ast.Name) else node
    while isinstance(value, ast.Subscript):
        value = value.value
    if not isinstance(value, ast.Call) or code.types.kind_of(node) is not Kind.TENSOR:
        return False
    return code.names.resolve(value.func).startswith("torch.")
