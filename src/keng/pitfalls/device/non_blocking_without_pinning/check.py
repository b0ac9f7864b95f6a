"""Source code: a copy that is not to block has no pinned memory, or is read too soon."""

from __future__ import annotations

import ast

from keng.model import Hits, say
from keng.pitfalls.device._shared import only_queues
from keng.rules import finds
from keng.source import Code, Kind


@finds(fixes=True, mentions=["non_blocking"])
def loader_that_does_not_pin(code: Code) -> Hits:
    for call in code.calls.method_calls("to", "cuda"):
        given = code.tree.receiver(call)
        if not _non_blocking(code, call) or not isinstance(given, ast.Name):
            continue
        loader = _loader_of(code, given)
        if (
            loader is None
            or code.tree.line_of(loader) is None
            or any(code.calls.method_calls("pin_memory"))
        ):
            continue
        if code.calls.argument(loader, "pin_memory", position=7) is None:
            fix = code.edits.add_argument(loader, "pin_memory=True", say("pin-batches"))
            says = say("batch-not-pinned", name=given.id)
            yield code.hit(call, says, fix=fix)


@finds(mentions=["non_blocking"])
def read_before_it_is_there(code: Code) -> Hits:
    for call in code.calls.method_calls("numpy", "tolist", "item"):
        copied = code.tree.receiver(call)
        copy = _copied_to_host(code, copied)
        if copy is None or not _non_blocking(code, copy):
            continue
        if not _waits_between(code, copy, call):
            name = code.text_of(copied)
            yield code.hit(call, say("read-during-copy", name=name))


def _loader_of(code: Code, name: ast.Name) -> ast.Call | None:
    """The call that made the loader whose batches a name goes through."""
    for binding in code.flow.reaching_definitions(name):
        node = binding.value if binding.how == "for" else None
        while (
            isinstance(node, ast.Call) and node.args and code.types.kind_of(node) is not Kind.LOADER
        ):
            node = node.args[0]
        if code.types.kind_of(node) is Kind.LOADER:
            return code.types.value_of(node).call
    return None


def _non_blocking(code: Code, call: ast.Call) -> bool:
    """Whether a copy is told not to wait."""
    return any(
        k.arg == "non_blocking" and code.flow.is_constant(k.value, True) for k in call.keywords
    )


def _copied_to_host(code: Code, node: ast.expr) -> ast.Call | None:
    """The call `.to("cpu")` that an expression is, or that its name was last given."""
    if isinstance(node, ast.Name):
        value = code.flow.assigned_value(node)
        return _copied_to_host(code, value) if isinstance(value, ast.Call) else None
    match node:
        case ast.Call(func=ast.Attribute(attr="to"), args=[ast.Constant(value="cpu"), *_]):
            return node
    return None


def _waits_between(code: Code, start: ast.AST, end: ast.AST) -> bool:
    """Whether anything between two places may wait for the device: a call of `synchronize`, of an
    event or stream, or of your own function."""
    first, last = code.tree.position(start), code.tree.position(end)
    between = [c for c in code.of(ast.Call) if first < code.tree.position(c) < last]
    return any(c is not start and not only_queues(code, c) and c is not end for c in between)
