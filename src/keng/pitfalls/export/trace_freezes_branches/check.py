"""Source code: a model whose way depends on its data is traced."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import cast

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Code, Definition, Kind
from keng.source.tree import Function

REDUCES = frozenset({"sum", "mean", "max", "min", "norm", "item", "any", "all", "abs", "prod"})
"""Methods of a tensor whose result depends on its numbers, not on its shape alone."""


@finds(mentions=["torch.jit.trace", "torch.onnx.export"])
def frozen_branch(code: Code) -> Hits:
    for place, test in _traced_branches(code):
        yield code.hit(place, say("branch-frozen", test=test))


def _traced_branches(code: Code) -> Iterator[tuple[ast.expr, str]]:
    """The tests on tensors, of `if` and `while`, in forwards of models that this file traces, as text;
    each with its place, or with the call that traces where that is in another file."""
    for call in _traces(code):
        model = code.types.value_of(call.args[0]).definition if call.args else None
        forward = code.classes.method(model, "forward") if model is not None else None
        if forward is None:
            continue
        for test in _tests_on_data(code.at(forward.tree), forward):
            own = test in code.tree.parent
            yield test if own else call, forward.tree.text_of(test)


def _traces(code: Code) -> Iterator[ast.Call]:
    yield from code.calls.calls_to("torch.jit.trace")
    for call in code.calls.calls_to("torch.onnx.export"):
        given = [k.value for k in call.keywords if k.arg == "dynamo"]
        if given and code.flow.is_constant(given[0], False):
            yield call


def _tests_on_data(code: Code, forward: Definition) -> Iterator[ast.expr]:
    branches: list[ast.If | ast.While | ast.IfExp] = [
        *code.below(forward.node, ast.If),
        *code.below(forward.node, ast.While),
        *code.below(forward.node, ast.IfExp),
    ]
    yield from (b.test for b in branches if _depends_on_data(code, b.test, forward))


def _depends_on_data(code: Code, test: ast.expr, forward: Definition) -> bool:
    """Whether a test compares a value that was computed from an argument of forward."""
    if not isinstance(test, ast.Compare) or not isinstance(test.left, ast.Call):
        return False
    if code.types.kind_of(test.left) is Kind.TENSOR:
        return True
    given = {a.arg for a in code.tree.parameters(cast(Function, forward.node))}
    match test.left.func:
        case ast.Attribute(value=ast.Name(id=name), attr=method):
            return name in given and method in REDUCES
    return False
