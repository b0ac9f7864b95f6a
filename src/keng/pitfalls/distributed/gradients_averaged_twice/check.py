"""Source code: gradients that DistributedDataParallel averaged are divided by the world size."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Code
from keng.source.processes import WRAPS

WORLD_SIZE = "torch.distributed.get_world_size"
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
                    made = code.flow.call_behind(_divides_gradient(code, node, name))
                    if made is not None and code.names.resolve(made.func) == WORLD_SIZE:
                        yield node, ast.unparse(model)


def _divides_gradient(code: Code, node: ast.AST, parameter: str) -> ast.expr | None:
    """What the gradient of a parameter is divided by, in place."""
    match node:
        case ast.AugAssign(target=divided, op=ast.Div(), value=by):
            pass
        case ast.Call(func=ast.Attribute(value=divided, attr="div_"), args=[by]):
            pass
        case _:
            return None
    return by if ast.unparse(divided).removesuffix(".data") == f"{parameter}.grad" else None
