"""Source code: the loss hangs on nothing that learns."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from textwrap import shorten

from keng.model import Hits, say
from keng.pitfalls.autograd._shared import COPYING, ENDING_METHODS, ends_graph
from keng.pitfalls.autograd._shared_flow import losses_without_sources
from keng.rules import finds
from keng.source import Code, Grad, Kind
from keng.source.types.kinds import MODULES

ANEW = frozenset(["torch.tensor", "torch.as_tensor", "torch.from_numpy", "torch.autograd.Variable"])
METHODS = (
    ENDING_METHODS | COPYING | {"to", "float", "cpu", "mean", "sum", "size", "squeeze", "unsqueeze"}
)
"""Methods of tensors, by which what is not known is treated as one."""
OFF = frozenset({"torch.no_grad", "torch.inference_mode"})
DEEPEST = 12


@finds(mentions=["backward"])
def backward_on_nothing(code: Code) -> Hits:
    for call, loss, end in _unlearned_losses(code):
        line, text = code.tree.position(end)[0], shorten(code.text_of(end), 60, placeholder=" ...")
        off = code.modes.grad_at(end) is Grad.OFF
        ended = say("ends-graph", loss=loss.id, value=text, line=line)
        unrecorded = say("computed-where-off", loss=loss.id, value=text, line=line)
        yield code.hit(call, unrecorded if off else ended)


@finds(mentions=["backward"])
def backward_behind_a_cut(code: Code) -> Hits:
    """A loss made in helpers, decorated methods or `forward`, one of which cuts its gradients."""
    for event, cut in losses_without_sources(code):
        if not code.execution.is_shown(event.place, backward_on_nothing(code)):
            loss = code.execution.named(event) or "the loss"
            where = code.execution.where(cut)
            yield code.hit(event.place, say("cut-on-way", loss=loss, cut=cut.how, where=where))


def _unlearned_losses(code: Code) -> Iterator[tuple[ast.Call, ast.Name, ast.AST]]:
    """Calls of `backward` on a loss that has no graph, and where it has lost it: it was computed where
    gradients are off, created again from values, or of nothing but what autograd does not follow."""
    for call in code.calls.method_calls("backward"):
        loss = code.tree.receiver(call)
        if not isinstance(loss, ast.Name) or code.modes.in_try_or_raises(call):
            continue
        end = _graph_lost(code, loss) if code.modes.grad_at(call) is not Grad.OFF else None
        if end is not None:
            yield call, loss, end


def _graph_lost(code: Code, loss: ast.Name) -> ast.AST | None:
    found = code.flow.reaching_definitions(loss)
    if not found or any(b.how != "assign" or b.path or b.value is None for b in found):
        return None
    values = [binding.value for binding in found if binding.value is not None]
    if not all(isinstance(value, (ast.Call, ast.BinOp)) for value in values):
        return None
    if all(_made_anew_of_values(code, value) for value in values):
        return values[0]
    ends = [_dead_ends(code, value, DEEPEST) for value in values]
    return ends[0][0] if ends[0] and all(ends) else None


def _made_anew_of_values(code: Code, value: ast.expr) -> bool:
    if not isinstance(value, ast.Call) or code.names.resolve(value.func) not in ANEW:
        return False
    given = [n for arg in value.args for n in ast.walk(arg)]
    return any(isinstance(n, ast.Name) and code.types.kind_of(n) is Kind.TENSOR for n in given)


def _dead_ends(code: Code, node: ast.expr, depth: int) -> list[ast.AST] | None:
    """What has ended the graphs that lead to a value; None where one may be whole."""
    if not depth or code.graph.makes_leaf_with_grad(node):
        return None
    if ends_graph(code, node):
        return [node]
    if isinstance(node, ast.Call) and (
        code.modes.grad_at(node) is Grad.OFF or _runs_without_gradients(code, node)
    ):
        return [node]
    match node:
        case ast.Constant():
            return []
        case ast.Name():
            parts = _given_to(code, node)
        case ast.Call(func=function, args=args, keywords=keywords) if _follows(code, node):
            receiver = [function.value] if isinstance(function, ast.Attribute) else []
            of_torch = code.names.resolve(function).startswith("torch.")
            moved = isinstance(function, ast.Attribute) and function.attr == "to"
            given = [] if moved else [*args, *(k.value for k in keywords)]
            parts = (
                given if of_torch or code.types.kind_of(function) in MODULES else receiver + given
            )
        case ast.BinOp(left=left, right=right):
            parts = [left, right]
        case ast.UnaryOp(operand=inner) | ast.Subscript(value=inner):
            parts = [inner]
        case _:
            parts = None
    ends: list[ast.AST] = []
    for part in parts or ():
        behind = _dead_ends(code, part, depth - 1)
        if behind is None:
            return None
        ends += behind
    return ends if parts is not None else None


def _runs_without_gradients(code: Code, call: ast.Call) -> bool:
    """Whether a function of the project that a call runs is decorated with `no_grad`."""
    function = code.types.definition(call.func)
    if function is None or isinstance(function.node, ast.ClassDef):
        return False
    there = code.at(function.tree)
    made = [d.func if isinstance(d, ast.Call) else d for d in function.node.decorator_list]
    return any(there.names.resolve(each) in OFF for each in made)


def _given_to(code: Code, name: ast.Name) -> list[ast.expr] | None:
    """What a name was given, where it is told whole; a batch has no graph."""
    if _made_leaf(code, name.id):
        return None
    given: list[ast.expr] = []
    found = code.flow.reaching_definitions(name)
    for binding in found:
        value = binding.value
        if binding.how == "for" and value is not None and code.loops.is_over_loader(value):
            continue
        if binding.how != "assign" or value is None:
            return None
        for n in binding.path:
            value = value.elts[n] if isinstance(value, ast.Tuple) else value
        given.append(value)
    return given if found else None


def _made_leaf(code: Code, name: str) -> bool:
    """Whether something of this name is made to gather gradients afterwards."""
    asked = [*code.tree.attributes_by_name.get("requires_grad_", ())]
    asked += code.tree.attributes_by_name.get("requires_grad", ())
    return any(isinstance(each.value, ast.Name) and each.value.id == name for each in asked)


def _follows(code: Code, call: ast.Call) -> bool:
    """Whether what a call gives has the graphs of what it is given, and none of its own."""
    if code.types.kind_of(call.func) is Kind.CRITERION:
        return True
    of_tensors = isinstance(call.func, ast.Attribute) and call.func.attr in METHODS
    return of_tensors or code.names.resolve(call.func).startswith("torch.")
