"""Source code: the backward of a custom function never reads the gradient that it is given."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from keng.model import Hits, say
from keng.pitfalls.autograd._shared import FUNCTION
from keng.rules import finds
from keng.source import Code
from keng.source.tree import FUNCTIONS, Function, member, names_in
from keng.tables.torch_names import TENSOR_METHODS

LOSSES = re.compile(r"loss|ctc|nll|entropy|rnnt|transducer", re.IGNORECASE)
NOTHING = frozenset("zeros zeros_like new_zeros empty empty_like full full_like".split())
SEVERAL = (ast.List, ast.Tuple, ast.ListComp, ast.GeneratorExp, ast.Starred, ast.Lambda)
OF_CONTEXT = frozenset(
    "saved_tensors saved_variables saved_for_forward needs_input_grad materialize_grads".split()
)
"""What torch itself puts into the context of a Function."""
FARTHEST = 4


@finds(mentions=["backward"])
def slope_alone(code: Code) -> Hits:
    for backward, gradient, returned, weighs in _gradients_unread(code):
        says = say("never-reads-what-comes", gradient=backward.name, gradient_2=gradient)
        yield code.hit(returned, says, sure=weighs)


def _leads_to(code: Code, node: ast.expr, depth: int) -> Iterator[ast.AST]:
    """All that a value is computed from, through names and the functions of the project."""
    for each in ast.walk(node):
        yield each
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load) and depth:
            for binding in code.flow.reaching_definitions(each):
                if binding.how == "assign" and binding.value is not None:
                    yield from _leads_to(code, binding.value, depth - 1)
        told = code.types.resolve_function(each) if isinstance(each, ast.Call) and depth else None
        if told is not None:
            for given in told.tree.returns(told.node):
                yield from _leads_to(code.at(told.tree), given, depth - 1)


def _gradients_unread(code: Code) -> Iterator[tuple[Function, str, ast.expr, bool]]:
    """The backwards of Functions that compute a gradient from what they kept and never read the one that
    they are given: the method, its argument, what it returns, and whether no loss is computed there."""
    for owner in code.of(ast.ClassDef):
        backward = member(owner, ["backward"])
        if not isinstance(backward, FUNCTIONS) or FUNCTION not in map(
            code.names.resolve, owner.bases
        ):
            continue
        context, given = code.tree.parameters(backward)[:1], code.tree.parameters(backward)[1:]
        named = [a.arg for a in given if not a.arg.startswith("_")]
        spread = backward.args.vararg or backward.args.kwarg
        read = {n.id for n in code.below(backward, ast.Name)}
        if spread or not named or len(named) != len(given) or read & set(named):
            continue
        told = [r for r in code.tree.returns(backward) if _is_kept(code, r, context[0].arg)]
        if told and not _comes_from_elsewhere(code, owner, backward):
            yield backward, named[0], told[0], not _computes_loss(code, owner)


def _comes_from_elsewhere(code: Code, owner: ast.ClassDef, backward: Function) -> bool:
    """Whether a backward asks its context for what no forward puts there, or calls an object that it keeps: another
    part of a pipeline gives it the gradient (`ctx.portal.use_grad()`)."""
    context = code.tree.parameters(backward)[0].arg
    known = {n.attr for n in code.below(owner, ast.Attribute) if isinstance(n.ctx, ast.Store)}
    for each in code.below(backward, ast.Attribute):
        match each:
            case ast.Attribute(value=ast.Name(id=name), attr=kept) if name == context:
                if kept not in known and kept not in OF_CONTEXT:
                    return True
            case ast.Attribute(value=ast.Attribute(value=ast.Name(id=name)), attr=method):
                called = isinstance(code.tree.parent[each], ast.Call)
                if name == context and called and method not in TENSOR_METHODS:
                    return True
    return False


def _is_kept(code: Code, returned: ast.expr, context: str) -> bool:
    """Whether a gradient is computed from what `forward` kept, and is not nothing."""
    parts = returned.elts if isinstance(returned, ast.Tuple) else [returned]
    return any(_is_made_of(code, part, context) for part in parts)


def _is_made_of(code: Code, part: ast.expr, context: str) -> bool:
    found = list(_leads_to(code, part, FARTHEST))
    calls = [each for each in found if isinstance(each, ast.Call)]
    run_by_it = any(ast.unparse(call.func).rpartition(".")[0] == context for call in calls)
    filled = any(code.calls.attribute_name(call.func) in NOTHING for call in calls)
    several = any(isinstance(each, SEVERAL) for each in found)
    names = {each.id for each in found if isinstance(each, ast.Name)}
    return context in names and not (run_by_it or filled or several)


def _computes_loss(code: Code, owner: ast.ClassDef) -> bool:
    """Whether a Function gives a loss, on which backward is mostly called as it is."""
    forward = member(owner, ["forward"])
    given = code.tree.returns(forward) if isinstance(forward, FUNCTIONS) else []
    named = any(LOSSES.search(name) for value in given for name in names_in(value))
    reduced = any(code.graph.is_scalar(value) for value in given)
    return named or reduced or LOSSES.search(owner.name) is not None
