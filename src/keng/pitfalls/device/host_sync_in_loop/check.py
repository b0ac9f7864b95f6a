"""Source code: the host waits for the GPU once for every parameter."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Code, Kind


@finds(mentions=["parameters", "named_parameters"])
def one_wait_a_parameter(code: Code) -> Hits:
    for loop, name in code.modes.parameter_loops() if code.devices.cuda_calls else ():
        for call in _reads_in(code, loop):
            text = code.text_of(call)
            yield code.hit(call, say("waits-for-each-parameter", call=text, name=name))


def _is_grad_there(code: Code, test: ast.expr) -> bool:
    """`p.grad is not None`, which is so for all that are trained."""
    match test:
        case ast.Compare(left=ast.Attribute(attr="grad"), ops=[ast.IsNot()]):
            return True
    return False


def _reads_in(code: Code, loop: ast.For) -> Iterator[ast.Call]:
    """The calls in each round of a loop, under no condition but that there is a gradient, that
    hand a tensor's value to the host."""
    for call in code.below(loop, ast.Call):
        if code.around(call, ast.IfExp, ast.For, ast.FunctionDef) is not loop:
            continue
        tests = [a for a in code.tree.ancestors(call) if isinstance(a, ast.If)]
        if not all(_is_grad_there(code, t.test) for t in tests if code.within(t, loop)):
            continue
        match call:
            case ast.Call(func=ast.Attribute(attr="item" | "tolist", value=value), args=[]):
                pass
            case ast.Call(func=ast.Name(id="float"), args=[value]):
                pass
            case _:
                continue
        if code.types.kind_of(value) is Kind.TENSOR:
            yield call
