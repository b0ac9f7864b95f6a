"""Source code: a model is trained past its DistributedDataParallel wrapper."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Act, Code, Grad, Loop
from keng.source.processes import WRAPS


@finds
def called_inside(code: Code) -> Hits:
    for call in _calls_past_wrapper(code):
        if code.modes.grad_at(call) is not Grad.OFF:
            name = code.text_of(call.func)
            yield code.hit(call, say("runs-without-wrapper-whose", name=name))


def _calls_past_wrapper(code: Code) -> Iterator[ast.Call]:
    """Calls, in training loops, of what lies inside a DistributedDataParallel: of `model.module` or
    a part or method of it, and of the model that was wrapped."""
    for loop in code.loops.training:
        steps = [s.call for s in loop.all(Act.FORWARD) if s.tree is code.tree]
        elsewhere = [s for s in steps if not code.within(s, loop.node)]
        for call in (*code.below(loop.node, ast.Call), *elsewhere):
            if not isinstance(call, ast.Call):
                continue
            past = _inside_wrapper(code, call.func) or _wrapped_itself(code, call.func, loop)
            if past and _feeds_backward(code, call, loop):
                yield call


def _inside_wrapper(code: Code, function: ast.expr) -> bool:
    node = function
    while isinstance(node, ast.Attribute):
        if node.attr == "module":
            return code.types.value_of(node.value).dotted in WRAPS
        node = node.value
    return False


def _wrapped_itself(code: Code, function: ast.expr, loop: Loop) -> bool:
    text = ast.unparse(function)
    body = code.tree.enclosing_body(loop.node)
    return any(
        wrap.args
        and isinstance(wrap.args[0], ast.Name)
        and ast.unparse(wrap.args[0]) == text
        and code.tree.enclosing_body(wrap) is body
        and code.tree.target_of(wrap) not in ("", text)
        for wrap in code.processes.wraps
    )


def _feeds_backward(code: Code, call: ast.Call, loop: Loop) -> bool:
    """Whether what a call gives is a loss of the loop or enters one."""
    losses = code.graph.losses(loop)
    statement = code.statement(call)
    if any(code.within(loss, statement) for loss in losses):
        return True
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    stored = {n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)}
    if stored & {loss.id for loss in losses}:
        return True
    around = loop.node if code.within(call, loop.node) else code.tree.enclosing_body(call)
    uses = [n for n in code.below(around, ast.Name) if n.id in stored]
    return any(isinstance(n.ctx, ast.Load) and not _only_shown(code, n) for n in uses)


def _only_shown(code: Code, name: ast.Name) -> bool:
    call = code.around(name, ast.Call)
    return call is not None and code.names.resolve(call.func) == "builtins.print"
