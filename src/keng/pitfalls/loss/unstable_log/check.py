"""Source code: a logarithm is taken of a softmax or sigmoid."""

from __future__ import annotations

import ast
import re

from keng.model import Fix, Hits, say
from keng.pitfalls.loss._shared import functional_call, logarithms
from keng.rules import finds
from keng.source import Code

AT_ONCE = {
    "torch.softmax": "log_softmax",
    "torch.nn.functional.softmax": "log_softmax",
    "torch.Tensor.softmax": "log_softmax",
    "torch.sigmoid": "logsigmoid",
    "torch.nn.functional.sigmoid": "logsigmoid",
    "torch.Tensor.sigmoid": "logsigmoid",
}


EXP = ("torch.exp", "torch.Tensor.exp")
POSITIVE = frozenset(
    "abs absolute exp sigmoid softmax softplus relu square norm vector_norm cosh".split()
)
"""Functions and methods whose results are never negative."""
UNBOUNDED = re.compile(r"torch\.nn\.(?:Lazy)?(?:Bil|L)inear|torch\.nn\.(?:Lazy)?Conv")


@finds(fixes=True, mentions=["torch.log"])
def log_of_a_rounded_number(code: Code) -> Hits:
    for call, given in logarithms(code):
        origins = code.origins.origins(given)
        if any(origin.dotted not in AT_ONCE for origin in origins):
            continue
        inner, better = origins[0].call, AT_ONCE[origins[0].dotted]
        text = (
            functional_call(code, inner, better) if inner is given and len(origins) == 1 else None
        )
        fix = (
            Fix(say("compute-at-once", function=better), (code.edits.replace(call, text),))
            if text
            else None
        )
        says = say("rounds-where-model-sure", function=code.text_of(given), better=better)
        own = _is_of_own_weights(code, inner)
        yield code.hit(call, says, fix=fix, level="hint" if own else None)


@finds(fixes=True, mentions=["torch.log"])
def softplus_by_hand(code: Code) -> Hits:
    for call, given in logarithms(code):
        match given:
            case (
                ast.BinOp(left=ast.Constant(value=1), op=ast.Add(), right=ast.Call() as power)
                | ast.BinOp(left=ast.Call() as power, op=ast.Add(), right=ast.Constant(value=1))
            ) if code.types.value_of(power).dotted in EXP and not _chosen_elsewhere(code, call):
                text = functional_call(code, power, "softplus")
                fix = Fix(say("use-softplus"), (code.edits.replace(call, text),)) if text else None
                says = say("overflows-where-softplus-does", given=code.text_of(power))
                exponent = power.args[0] if power.args else code.tree.receiver(power)
                if _sign(code, exponent) != -1:
                    large = _is_of_layer(code, exponent)
                    yield code.hit(call, says, fix=fix, level=None if large else "hint")


def _is_of_own_weights(code: Code, call: ast.Call | None) -> bool:
    """Whether a softmax or sigmoid is that of a parameter, whose values move slowly: `softmax(self.weight_scores)`."""
    given = call.args[0] if call is not None and call.args else None
    if call is not None and given is None and isinstance(call.func, ast.Attribute):
        given = call.func.value
    return isinstance(given, ast.Attribute) and getattr(given.value, "id", "") == "self"


def _is_of_layer(code: Code, exponent: ast.expr) -> bool:
    """Whether an exponent is computed of what a linear or convolutional layer gives, which nothing bounds: that of
    similarities, distances or of a few weights stays far below 88."""
    names = code.below(exponent, ast.Name) if not isinstance(exponent, ast.Name) else [exponent]
    origins = (origin.dotted for name in names for origin in code.origins.origins(name))
    return any(UNBOUNDED.match(dotted) for dotted in origins)


def _sign(code: Code, node: ast.expr, depth: int = 6) -> int:
    """1 for a value that is never negative, -1 for one that is never positive, 0 for others."""
    match node if depth else None:
        case ast.Constant(value=int() | float() as number):
            return 1 if number >= 0 else -1
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return -_sign(code, inner, depth - 1)
        case ast.BinOp(op=ast.Pow(), right=ast.Constant(value=int() as power)) if power % 2 == 0:
            return 1
        case ast.BinOp(left=left, op=ast.Mult() | ast.Div(), right=right):
            if ast.unparse(left) == ast.unparse(right):
                return 1
            return _sign(code, left, depth - 1) * _sign(code, right, depth - 1)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            signs = {_sign(code, left, depth - 1), _sign(code, right, depth - 1)}
            return signs.pop() if len(signs) == 1 else 0
        case ast.BinOp(left=left, op=ast.Sub(), right=right):
            signs = {_sign(code, left, depth - 1), -_sign(code, right, depth - 1)}
            return signs.pop() if len(signs) == 1 else 0
        case ast.Call(func=function):
            return int(code.calls.attribute_name(function) in POSITIVE)
        case ast.Name():
            given = code.flow.assigned_value(node)
            return _sign(code, given, depth - 1) if given is not None else 0
    return 0


def _chosen_elsewhere(code: Code, node: ast.AST) -> bool:
    """Whether torch.where takes another value in place of a node where a comparison says so."""
    call = code.around(node, ast.Call)
    asked = call is not None and code.names.resolve(call.func) == "torch.where"
    return asked and call is not None and isinstance(call.args[0], ast.Compare)
