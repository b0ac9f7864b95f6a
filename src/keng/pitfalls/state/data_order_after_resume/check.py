"""Source code: batches that a resumed run skips are skipped in every epoch."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Code

SKIPS = "skip_first_batches"


@finds(mentions=["accelerate.skip_first_batches"])
def replaces_the_loader(code: Code) -> Hits:
    """`loader = skip_first_batches(loader, n)`, and the loop over epochs iterates over that name."""
    for assign in code.of(ast.Assign):
        call, target = assign.value, assign.targets[0]
        if not isinstance(call, ast.Call) or not _skips(call) or not call.args:
            continue
        name = ast.unparse(target)
        if ast.unparse(call.args[0]) != name or len(assign.targets) > 1:
            continue
        epochs = next(_epochs_over(code, assign, name), None)
        if epochs is not None:
            yield code.hit(assign, say("loader-replaced", loader=name, line=epochs.lineno))


def _epochs_over(code: Code, assign: ast.Assign, name: str) -> Iterator[ast.For | ast.While]:
    """The loops below an assignment in which another loop iterates over a name that they leave as it is."""
    for loop in code.loops.all:
        epochs = code.around(loop.node, ast.For, ast.While)
        if not isinstance(epochs, (ast.For, ast.While)) or name not in loop.iterable_names:
            continue
        same = code.tree.enclosing_body(loop.node) is code.tree.enclosing_body(assign)
        if same and epochs.lineno > assign.lineno and not _is_given_again(code, epochs, name):
            yield epochs


def _skips(call: ast.Call) -> bool:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    return name == SKIPS


def _is_given_again(code: Code, epochs: ast.AST, name: str) -> bool:
    """Whether the loop over epochs assigns the loader itself."""
    return any(
        ast.unparse(target) == name
        for assign in code.below(epochs, ast.Assign)
        for target in assign.targets
    )
