"""Source code: parameters that get no gradient still move."""

from __future__ import annotations

import ast

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Code


@finds(mentions=["zero_grad"])
def zeros_left_for_frozen_parameters(code: Code) -> Hits:
    for call in code.calls.method_calls("zero_grad"):
        flag = code.calls.argument(call, "set_to_none", position=0)
        if not code.flow.is_constant(flag, False) or not _freezes_while_training(code, call):
            continue
        optimizer = code.tree.receiver(call)
        if code.loops.has_momentum(optimizer):
            yield code.hit(call, say("leaves-zeros-frozen-parameters"))


def _freezes_while_training(code: Code, node: ast.AST) -> bool:
    """Whether a loop around a node turns `requires_grad` off for good, never on again."""
    loops = [loop for loop in code.loops.all if code.within(node, loop.node)]
    switches = [s for loop in loops for s in code.modes.grad_switches(loop.node)]
    if not switches or any(switches):
        return False
    return not any(_drops_gradient(n) for loop in loops for n in code.below(loop.node, ast.Assign))


def _drops_gradient(node: ast.Assign) -> bool:
    """Whether `parameter.grad = None`, which zero_grad() then leaves alone."""
    match node:
        case ast.Assign(targets=[ast.Attribute(attr="grad")], value=ast.Constant(value=None)):
            return True
    return False
