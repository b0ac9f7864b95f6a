"""Source code: the divergence of a variational autoencoder is added with the wrong sign, or its variance misread."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from keng.model import Fix, Hits, say
from keng.pitfalls.loss._shared import TURNING, divergences, pointwise_sign, power_of, signed_terms
from keng.rules import finds
from keng.source import Code, Kind

LOG_VARIANCE = re.compile(r"(?:\w*_)?log_?var(?:iance)?(?:_\w*)?$|logvars?$", re.IGNORECASE)
DEVIATION = re.compile(r"(?:\w*_)?(?:std|stddev|sigma)(?:_\w*)?$", re.IGNORECASE)
SUMS = ("sum", "mean")


@finds(mentions=["exp"])
def rewarded_for_growing(code: Code) -> Hits:
    for term, loss in _divergences_turned_round(code):
        yield code.hit(term, say("opposite-sign", term=code.text_of(term), loss=loss))


@finds(fixes=True, mentions=["exp"])
def variance_for_deviation(code: Code) -> Hits:
    for call, name, given in _deviations_of_log_variances(code):
        says = say("variance-deviation", name=name, given=given)
        fix = Fix(say("take-root"), (code.edits.append(call, ".sqrt()"),))
        yield code.hit(call, says, fix)


def _divergences_turned_round(code: Code) -> Iterator[tuple[ast.expr, str]]:
    """Sums of a reconstruction's loss and a Kullback-Leibler term of the opposite sign: that term, and
    the loss."""
    for both in code.of(ast.BinOp) if divergences(code) else ():
        if not isinstance(both.op, TURNING) or isinstance(code.tree.parent[both], ast.BinOp):
            continue
        terms = list(signed_terms(both, 1))
        losses = [(term, sign) for term, sign in terms if _is_reconstruction(code, term)]
        for term, sign in terms if losses else ():
            way = _divergence_sign(code, term) * sign
            if way and all(way != other for _, other in losses):
                yield term, code.text_of(losses[0][0])


def _deviations_of_log_variances(code: Code) -> Iterator[tuple[ast.Call, str, str]]:
    """`std = torch.exp(logvar)`, in a file whose divergence takes that for the variance: the call, and
    both names."""
    for call in code.calls.calls_named("exp") if divergences(code) else ():
        kept = code.tree.parent[call]
        target = kept.targets[0] if isinstance(kept, ast.Assign) else None
        given = power_of(code, call)
        if isinstance(target, ast.Name) and given is not None:
            name = given.attr if isinstance(given, ast.Attribute) else getattr(given, "id", "")
            if LOG_VARIANCE.match(name) and DEVIATION.match(target.id):
                yield call, target.id, code.text_of(given)


def _is_reconstruction(code: Code, term: ast.expr) -> bool:
    """Whether a term is what a loss of torch gives, times a number perhaps."""
    made = code.flow.assigned_value(term) if isinstance(term, ast.Name) else term
    for inner in ast.walk(made) if made is not None else ():
        if isinstance(inner, ast.Call):
            dotted = code.names.resolve(inner.func)
            known = dotted.startswith("torch.nn.functional.") and not dotted.endswith("kl_div")
            return known or code.types.kind_of(inner.func) is Kind.CRITERION
    return False


def _divergence_sign(code: Code, term: ast.expr, depth: int = 6) -> int:
    """1 where a term is a divergence from the standard normal distribution, -1 where it is one turned
    round, 0 where that is not known."""
    match term:
        case ast.Name() if depth:
            made = code.flow.assigned_value(term)
            return _divergence_sign(code, made, depth - 1) if made is not None else 0
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return -_divergence_sign(code, inner, depth)
        case ast.BinOp(op=ast.Mult() | ast.Div(), left=left, right=right):
            signs = [_divergence_sign(code, side, depth) for side in (left, right)]
            by = right if signs[0] else left
            return sum(signs) * _sign(by) if 0 in signs else 0
        case ast.Call(func=called, args=given) if code.calls.attribute_name(called) in SUMS:
            if not code.names.resolve(called).startswith("torch."):
                given = [called.value] if isinstance(called, ast.Attribute) else []
            return _divergence_sign(code, given[0], depth) if given else 0
        case ast.BinOp(op=ast.Add() | ast.Sub()):
            return pointwise_sign(code, term)
    return 0


def _sign(factor: ast.expr) -> int:
    """The sign of a factor; what has a name is treated as positive."""
    match factor:
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return -_sign(inner)
        case ast.BinOp(op=ast.Mult() | ast.Div(), left=left, right=right):
            return _sign(left) * _sign(right)
    return 1
