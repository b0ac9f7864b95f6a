"""Source code: gradients that DistributedDataParallel averages, or their loss, are divided by the world size."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Code
from keng.source.processes import WRAPS

REDUCES_ITSELF = (b"register_comm_hook", b"no_sync", b"all_reduce", b"reduce_scatter")


@finds(mentions=WRAPS)
def divided_after_the_mean(code: Code) -> Hits:
    for node, model in _gradients_divided_again(code):
        yield code.hit(node, say("divided-again", model=model))


def _gradients_divided_again(code: Code) -> Iterator[tuple[ast.AST, str]]:
    """Statements that divide the gradients of a DistributedDataParallel by the number of ranks, and the
    name of that model. Where a hook or the program itself reduces them as well, they may be sums."""
    if not code.processes.wraps or any(word in code.tree.data for word in REDUCES_ITSELF):
        return
    for loop in code.of(ast.For):
        match loop:
            case ast.For(
                target=ast.Name(id=name),
                iter=ast.Call(func=ast.Attribute(value=model, attr="parameters")),
            ) if code.types.value_of(model).dotted in WRAPS:
                for node in code.below(loop, ast.AugAssign, ast.Call):
                    by = _divides_gradient(node, name)
                    if by is not None and code.processes.is_world_size(by):
                        yield node, ast.unparse(model)


def _divides_gradient(node: ast.AST, parameter: str) -> ast.expr | None:
    """What the gradient of a parameter is divided by, in place."""
    match node:
        case ast.AugAssign(target=divided, op=ast.Div(), value=by):
            pass
        case ast.Call(func=ast.Attribute(value=divided, attr="div_"), args=[by]):
            pass
        case _:
            return None
    return by if ast.unparse(divided).removesuffix(".data") == f"{parameter}.grad" else None


@finds
def loss_divided(code: Code) -> Hits:
    """Before backward, where a model is in DistributedDataParallel and no hook of the program's reduces."""
    if not code.processes.wraps or b"register_comm_hook" in code.tree.data:
        return
    for call in code.calls.method_calls("backward"):
        match call:
            case ast.Call(func=ast.Attribute(value=loss), args=[]):
                for node, by in _divisions(code, loss):
                    if code.processes.is_world_size(by):
                        yield code.hit(node, say("loss-divided"))


def _divisions(code: Code, loss: ast.expr) -> Iterator[tuple[ast.AST, ast.expr]]:
    """Where a loss is divided last, and by what."""
    values: list[tuple[ast.AST, ast.expr | None]] = [(loss, loss)]
    if isinstance(loss, ast.Name):
        values = [(b.node, b.value) for b in code.flow.reaching_definitions(loss)]
    for node, value in values:
        statement = code.tree.statement(node)
        match value, statement:
            case ast.BinOp(op=ast.Div(), right=by), _:
                yield node, by
            case _, ast.AugAssign(op=ast.Div(), value=by):
                yield node, by
