"""Source code: a graph is gone back through a second time."""

from __future__ import annotations

import ast

from keng.model import Hits, say
from keng.pitfalls.autograd._shared import (
    detaches,
    graph_paths,
    made_from,
    recurrent_states,
    retains,
)
from keng.rules import finds
from keng.source import Act, Code, Grad, Kind
from keng.source.tree import LOOPS
from keng.source.types.tables import RESHAPES


@finds
def state_carried_with_its_graph(code: Code) -> Hits:
    for loop in code.loops.training:
        backwards = [s.call for s in loop.all(Act.BACKWARD) if isinstance(s.call, ast.Call)]
        if any(retains(code, call) for call in backwards):
            continue
        for call, name, known in recurrent_states(code, loop):
            if code.modes.grad_at(call) is Grad.ON:
                says = say("carries-graph-last-round", state=name.id)
                yield code.hit(call, says, sure=known)


@finds(mentions=["backward"])
def same_loss_again(code: Code) -> Hits:
    for call in code.calls.method_calls("backward"):
        before = _backward_before(code, call)
        if before is None or code.modes.in_try_or_raises(call):
            continue
        for loss, earlier in zip(
            code.graph.backward_losses(call), code.graph.backward_losses(before), strict=False
        ):
            same = code.tree.receiver(call) is loss and code.graph.same_value(loss, earlier)
            if same and _through_module(code, loss):
                says = say("graph-was-freed-backward", line=loss.id, lineno=before.lineno)
                yield code.hit(call, says)


@finds(mentions=["backward"])
def part_of_it_again(code: Code) -> Hits:
    for call in code.calls.method_calls("backward"):
        before = _backward_before(code, call)
        part = _part_freed(code, call, before) if before is not None else None
        if before is not None and part is not None and not code.modes.in_try_or_raises(call):
            says = say("brings-graph-backward-on", line=part.id, lineno=before.lineno)
            yield code.hit(call, says)


def _through_module(code: Code, node: ast.expr) -> bool:
    """Whether a value is known to have come through a module, whose graph keeps what it needs."""
    ways = [end for followed, end in graph_paths(code, node, 12) if followed]
    return any(isinstance(e, ast.Call) and code.types.kind_of(e.func) is Kind.MODULE for e in ways)


def _backward_before(code: Code, call: ast.Call) -> ast.Call | None:
    """The backward that ran last before this one in the same function and loop, one that leaves
    its graph apart."""
    home, loop = code.tree.enclosing_function(call), code.around(call, *LOOPS)
    before = [
        c
        for c in code.calls.method_calls("backward")
        if code.tree.enclosing_function(c) is home
        and code.around(c, *LOOPS) is loop
        and code.tree.position(c) < code.tree.position(call)
        and not retains(code, c)
        and not code.modes.in_try_or_raises(c)
        and code.flow.always_before(c, call)
    ]
    return max(before, key=code.tree.position, default=None)


def _part_freed(code: Code, call: ast.Call, before: ast.Call) -> ast.Name | None:
    """What a backward goes through that the one before it has freed: a value of a model that is
    being trained, which both losses were computed from."""
    freed = {
        b.node for loss in code.graph.backward_losses(before) for b, _ in made_from(code, loss, 6)
    }
    for loss in code.graph.backward_losses(call):
        for binding, name in made_from(code, loss, 6):
            if binding.node in freed and _kept_by_model(code, binding.value):
                return name
    return None


def _kept_by_model(code: Code, value: ast.expr | None) -> bool:
    """Whether a value is what a model gives, with a graph, whose parameters an optimizer has."""
    while isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
        if value.func.attr not in RESHAPES:
            break
        value = value.func.value
    made = code.types.value_of(value.func) if isinstance(value, ast.Call) else None
    if not isinstance(value, ast.Call) or made is None or made.kind is not Kind.MODULE:
        return False
    if made.definition is not None and detaches(code, made.definition):
        return False
    parameters = f"{ast.unparse(value.func)}.parameters()"
    trained = any(
        call.args and ast.unparse(call.args[0]) == parameters
        for call in code.of(ast.Call)
        if code.types.kind_of(call) is Kind.OPTIMIZER
    )
    return trained and code.modes.grad_at(value) is Grad.ON
