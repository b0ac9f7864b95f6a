"""Source code: a model is trained past its DistributedDataParallel wrapper."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Act, Code, Grad, Kind, Loop
from keng.source.processes import WRAPS
from keng.source.tree import names_in


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
            if past and _is_forward(code, call, loop) and _feeds_backward(code, call, loop):
                yield call


def _inside_wrapper(code: Code, function: ast.expr) -> bool:
    node = function
    while isinstance(node, ast.Attribute):
        if node.attr == "module":
            return code.types.value_of(node.value).dotted in WRAPS
        node = node.value
    return False


def _is_forward(code: Code, call: ast.Call, loop: Loop) -> bool:
    """Whether a call of a model or something of it runs layers: the model itself, a part of it, or a method
    that is given the batch and that does so as far as its text is known."""
    if not isinstance(call.func, ast.Attribute) or call.func.attr in ("module", "forward"):
        return True
    method = code.types.definition(call.func)
    if method is None or isinstance(method.node, ast.ClassDef):
        part = code.types.kind_of(call.func) is Kind.MODULE
        return part or _given_batch(code, call, loop)
    inner = method.tree.descendants(method.node, ast.Call)
    return any(_runs_layer(code.at(method.tree), each) for each in inner)


def _given_batch(code: Code, call: ast.Call, loop: Loop) -> bool:
    """Whether a call is given a tensor, or what a round of a loop begins with."""
    target = () if isinstance(loop.node, ast.While) else names_in(loop.node.target)
    given = [n for g in (*call.args, *call.keywords) for n in ast.walk(g)]
    names = [n for n in given if isinstance(n, ast.Name)]
    return any(n.id in target or code.types.kind_of(n) is Kind.TENSOR for n in names)


def _runs_layer(code: Code, call: ast.Call) -> bool:
    """`self(x)`, `self.forward(x)`, `self.layer(x)`."""
    own = code.classes.self_class(call.func) is not None
    return (
        own
        or code.types.kind_of(call.func) is Kind.MODULE
        or code.calls.attribute_name(call.func) == "forward"
    )


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
