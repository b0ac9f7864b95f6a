"""Source code: a standard deviation is given for a variance, or the other way round."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from keng.model import Fix, Hits, say
from keng.pitfalls.loss._shared import divergences, power_of
from keng.rules import finds
from keng.source import Code
from keng.source.code import once_per_file
from keng.source.names import Binding

GAUSSIAN = "torch.nn.GaussianNLLLoss"
NORMALS = ("torch.distributions.Normal", "torch.distributions.normal.Normal")
ENDING = r"(?:_(?:hat|pred|out|noise|[a-z]|\d+))?$"
POWERS = (
    re.compile(rf"(?:\w+_)?(?:stds?|std_?dev|sigmas?){ENDING}", re.IGNORECASE),
    re.compile(rf"(?:\w+_)?(?:vars?|variances?|sigma_?(?:2|sq|squared)){ENDING}", re.IGNORECASE),
)
UNFINISHED = re.compile(r"log|raw|pre_|inv|unc|rho", re.IGNORECASE)
POSITIVE = frozenset("softplus exp elu relu sigmoid square Softplus".split())
SCALED: dict[object, int] = {(2, 0.5): 1, (1, 2): 2}
"""What a deviation squared is, and a variance under a root."""
KEEPS_SPREAD = frozenset(
    """
    clamp clamp_min clip expand expand_as unsqueeze squeeze view reshape flatten to float double cuda cpu
    detach clone contiguous
    """.split()
)


class Spread(NamedTuple):
    """1 for a standard deviation, 2 for a variance, 0 for what is not known; and what tells it: a name (0), a
    name of what is made positive (1), or a formula (2). `exp(logvar)` is a variance by a name, which may be
    wrong where nothing else in the file reads it so (1)."""

    power: int
    evidence: int = 0


NOT_KNOWN = Spread(0)


@finds(fixes=True)
def taken_for_the_other(code: Code) -> Hits:
    for given, call, power, sure in _spreads_mistaken(code):
        text, taker = code.text_of(given), code.text_of(call.func)
        if power == 1:
            says = say("standard-deviation-takes-variance", taker=text, taker_2=taker)
            fix = Fix(say("give-variance"), (code.edits.append(given, ".square()"),))
        else:
            says = say("variance-takes-standard-deviation", taker=text, taker_2=taker)
            fix = Fix(say("give-standard-deviation"), (code.edits.append(given, ".sqrt()"),))
        yield code.hit(given, says, fix, sure=sure)


def _spreads_mistaken(code: Code) -> Iterator[tuple[ast.expr, ast.Call, int, bool]]:
    """Standard deviations where a variance is taken, and variances where a deviation is: what is given,
    the call, the power that it has, and whether that is sure."""
    for call in _gaussian_losses(code):
        given = code.calls.argument(call, "var", 2)
        spread = _spread(code, given)
        if given is not None and spread.power == 1:
            yield given, call, 1, spread.evidence > 0
    for call in code.calls.calls_to(*NORMALS):
        given = code.calls.argument(call, "scale", 1)
        spread = _spread(code, given)
        if given is not None and spread.power == 2:
            yield given, call, 2, spread.evidence == 2 or _has_log_variances(code)


@once_per_file
def _has_log_variances(code: Code) -> bool:
    """Whether a formula of the file reads something as the logarithm of a variance."""
    given = [power_of(code, call) for call in code.calls.calls_named("exp")]
    halved = any(isinstance(g, ast.BinOp) and _logarithm_of(code, g) == 1 for g in given)
    return halved or bool(divergences(code))


def _gaussian_losses(code: Code) -> Iterator[ast.Call]:
    yield from code.calls.calls_to("torch.nn.functional.gaussian_nll_loss")
    if b"GaussianNLLLoss" in code.tree.data:
        yield from (c for c in code.of(ast.Call) if _is_gaussian(code, c))


def _is_gaussian(code: Code, call: ast.Call) -> bool:
    three = len(call.args) + len(call.keywords) == 3
    return three and code.types.value_of(call.func).dotted == GAUSSIAN


def _spread(code: Code, node: ast.expr | None, depth: int = 8) -> Spread:
    """What power of a standard deviation an expression is."""
    match node:
        case None:
            return NOT_KNOWN
        case _ if not depth:
            return NOT_KNOWN
        case ast.Name():
            return _spread_of_name(code, node, depth - 1)
        case ast.Attribute(attr=name):
            return Spread(_named_power(name), 0)
        case ast.BinOp(op=ast.Add() | ast.Mult(), left=left, right=right):
            same = isinstance(node.op, ast.Mult) and ast.unparse(left) == ast.unparse(right)
            if same:
                return _raised_to(code, left, 2, depth)
            number = isinstance(right, ast.Constant)
            small = number or "eps" in ast.unparse(right).lower()
            if small or isinstance(left, ast.Constant):
                return _spread(code, left if small else right, depth - 1)
        case ast.BinOp(op=ast.Pow(), left=base, right=ast.Constant(value=number)):
            return _raised_to(code, base, number, depth)
        case ast.Call(func=called):
            return _spread_of_call(code, node, code.calls.attribute_name(called), depth - 1)
    return NOT_KNOWN


def _raised_to(code: Code, base: ast.expr, number: object, depth: int) -> Spread:
    power = _spread(code, base, depth - 1).power
    return Spread(SCALED.get((power, number), 0), 2)


def _spread_of_call(code: Code, call: ast.Call, name: str, depth: int) -> Spread:
    method = isinstance(call.func, ast.Attribute) and not code.names.resolve(call.func)
    given = code.tree.receiver(call) if method else next(iter(call.args), None)
    if given is None or code.classes.self_class(given) is not None:
        return NOT_KNOWN
    match name:
        case "exp":
            power = _logarithm_of(code, given)
            return Spread(power, 3 - power)
        case "sqrt":
            return _raised_to(code, given, 0.5, depth)
        case "square":
            return _raised_to(code, given, 2, depth)
        case "pow":
            number = call.args[-1] if call.args else None
            value = number.value if isinstance(number, ast.Constant) else None
            return _raised_to(code, given, value, depth)
        case "std" | "var":
            return Spread(1 if name == "std" else 2, 2)
    return _spread(code, given, depth) if name in KEEPS_SPREAD else NOT_KNOWN


def _logarithm_of(code: Code, node: ast.expr) -> int:
    """The power of a standard deviation whose logarithm an expression is, by its name."""
    match node:
        case ast.BinOp(op=ast.Mult(), left=ast.Constant(value=number), right=inner):
            return SCALED.get((_logarithm_of(code, inner), number), 0)
        case ast.BinOp(op=ast.Mult(), left=inner, right=ast.Constant(value=number)):
            return SCALED.get((_logarithm_of(code, inner), number), 0)
        case ast.BinOp(op=ast.Div(), left=inner, right=ast.Constant(value=2)):
            return 1 if _logarithm_of(code, inner) == 2 else 0
        case ast.Name(id=name) | ast.Attribute(attr=name):
            of = re.sub(r"^(\w+_)?log_?", "", name)
            return _named_power(of) if of != name else 0
    return 0


def _spread_of_name(code: Code, name: ast.Name, depth: int) -> Spread:
    ways = [
        _spread_of_binding(code, binding, depth) for binding in code.flow.reaching_definitions(name)
    ]
    agree = len({way.power for way in ways}) == 1
    return min(ways, key=lambda way: way.evidence) if agree else NOT_KNOWN


def _spread_of_binding(code: Code, binding: Binding, depth: int) -> Spread:
    """By what is computed, or else by the name; not known where a function gives another."""
    by_name, value = Spread(_named_power(binding.name)), binding.value
    if binding.how == "assign" and value is not None and not binding.path:
        made = _spread(code, value, depth)
        positive = any(map(partial(_is_positive, code), ast.walk(value)))
        return made if made.power else by_name._replace(evidence=int(positive))
    given = _spreads_given(code, binding, depth)
    if not given:
        return by_name
    powers = {each.power for each in given} | {by_name.power}
    return min(given, key=lambda each: each.evidence) if len(powers) == 1 else NOT_KNOWN


def _is_positive(code: Code, node: ast.AST) -> bool:
    if not isinstance(node, ast.Call):
        return False
    layer = code.types.value_of(node.func).dotted
    return {code.calls.attribute_name(node.func), layer.rpartition(".")[2]} & POSITIVE != set()


def _spreads_given(code: Code, binding: Binding, depth: int) -> list[Spread]:
    """What callers give an argument, or a function one of several names."""
    if isinstance(binding.node, ast.arg):
        given = code.types.argument_values(binding.node)
        return [_spread(code.at(tree), each, depth) for tree, each in given if each is not None]
    runs = (
        code.types.resolve_function(binding.value) if isinstance(binding.value, ast.Call) else None
    )
    if runs is None or len(binding.path) != 1:
        return []
    parts = [r.elts for r in runs.tree.returns(runs.node) if isinstance(r, ast.Tuple)]
    place = binding.path[0]
    return [_spread(code.at(runs.tree), part[place], depth) for part in parts if place < len(part)]


def _named_power(name: str) -> int:
    if UNFINISHED.search(name):
        return 0
    return next((n for n, power in enumerate(POWERS, 1) if power.match(name)), 0)
