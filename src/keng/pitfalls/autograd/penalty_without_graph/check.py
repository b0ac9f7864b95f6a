"""Source code: a penalty on gradients is computed without their graph."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from enum import IntEnum

from keng.model import Fix, Hits
from keng.pitfalls.autograd._shared import ENDING_CALLS, ENDING_METHODS
from keng.pitfalls.autograd.penalty_without_graph._shared import only_a_number
from keng.rules import finds
from keng.source import Act, Code, Kind

COEFFICIENT = re.compile(
    r"(?!.*loss)(?:(?:lambd?a?|lmbda|coef\w*|weight|gamma|alpha|beta|eps\w*|scale|factor|k|w|c)(?:_\w*)?|"
    r"\w+_(?:lambd?a?|coef\w*|weight|scale|factor))$",
    re.IGNORECASE,
)
"""How the numbers of a penalty are called: `lambda_gp`, `self.gp_weight`, `k`."""
MAKES_NUMBERS = re.compile(r"torch\.(?:ones|zeros|full|tensor|empty|eye|rand|randn)(?:_like)?$")


class Made(IntEnum):
    """What an expression is made of; the greatest of its parts decides."""

    NUMBERS = 0
    SLOPES = 1
    MORE = 2


class Trail:
    """What a call gives, and what is made of it under names: "" for its gradients and numbers alone, else
    the term in it that is only a number."""

    def __init__(self, source: ast.Call, gives: str = "") -> None:
        self.source = source
        self.gives = gives
        self.known: dict[str, str] = {}

    def hold(self, targets: Iterable[ast.expr], term: str | None) -> None:
        for name in [n for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)]:
            self.known.pop(name.id, None)
            if term is not None:
                self.known[name.id] = term


@finds(fixes=True, mentions=["torch.autograd.grad"])
def added_without_graph(code: Code) -> Hits:
    for call, term, loss in _slopes_without_graph(code):
        title = "Make their graph as well"
        asked = code.calls.argument(call, "create_graph", position=4)
        fix = code.edits.add_argument(call, "create_graph=True", title)
        if asked is not None:
            fix = Fix(title, (code.edits.replace(asked, "True"),), "unsafe")
        yield code.hit(call, only_a_number(term, loss), fix=fix)


def _slopes_without_graph(code: Code) -> Iterator[tuple[ast.Call, str, str]]:
    """Calls of `torch.autograd.grad` that make no graph, where what is computed of their numbers alone
    is added to a loss that goes backward: the call, that term and the loss, as texts."""
    for call in code.calls.calls_to("torch.autograd.grad"):
        asked = code.calls.argument(call, "create_graph", position=4)
        unsaid = asked is None and all(keyword.arg for keyword in call.keywords)
        if unsaid or (asked is not None and code.flow.is_constant(asked, False)):
            for term, loss in _losses_with(code, Trail(call), 2):
                yield call, term, loss
                break


def _losses_with(code: Code, trail: Trail, depth: int) -> Iterator[tuple[str, str]]:
    """The terms and losses that the value of a call becomes."""
    scope = code.tree.enclosing_body(trail.source)
    for node, value in _since(code, trail.source):
        term = _term(code, value, trail)
        match node:
            case ast.Assign(targets=targets):
                trail.hold(targets, term)
            case ast.AugAssign(target=ast.Name(id=name) as total, op=ast.Add() | ast.Sub()):
                added = ast.unparse(value) if term == "" else term
                trail.hold([total], trail.known.get(name) if added is None else added)
            case ast.Return() if term is not None and depth:
                if isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    for tree, call in code.types.callers(scope):
                        yield from _losses_with(code.at(tree), Trail(call, term), depth - 1)
            case ast.Expr(value=ast.Call() as call) if code.loops.act_of(call) is Act.BACKWARD:
                for lost in code.graph.backward_losses(call):
                    if trail.known.get(lost.id):
                        yield trail.known[lost.id], lost.id


def _since(code: Code, call: ast.Call) -> Iterator[tuple[ast.AST, ast.expr]]:
    """The statements of its body with a value, from that of a call on, and these values."""
    scope, first = code.tree.enclosing_body(call), code.tree.position(code.statement(call))
    for node in code.below(scope, ast.Assign, ast.AugAssign, ast.Return, ast.Expr):
        value: ast.expr | None = getattr(node, "value", None)
        if value is None or code.tree.enclosing_body(node) is not scope:
            continue
        if code.tree.position(node) >= first:
            yield node, value


def _term(code: Code, node: ast.expr, trail: Trail) -> str | None:
    """What an expression holds of a trail, as a name would; None for what has nothing of it, or has it
    in another way than as a term."""
    if node is trail.source:
        return trail.gives
    match node:
        case ast.Name(id=name) if trail.known.get(name):
            return trail.known[name]
        case ast.BinOp(left=left, right=right):
            if _composed(code, node, trail) is Made.SLOPES:
                return ""
            sides = [_term(code, side, trail) for side in (left, right)]
            if isinstance(node.op, (ast.Add, ast.Sub)) and "" in sides:
                return ast.unparse((left, right)[sides.index("")])
            return next(filter(None, sides), None)
        case ast.UnaryOp(operand=operand):
            return _term(code, operand, trail)
    return "" if _composed(code, node, trail) is Made.SLOPES else None


def _composed(code: Code, node: ast.expr, trail: Trail) -> Made:
    def of(*parts: ast.expr) -> Made:
        return max((_composed(code, each, trail) for each in parts), default=Made.NUMBERS)

    if node is trail.source:
        return _made(trail.gives)
    match node:
        case ast.Constant():
            return Made.NUMBERS
        case ast.Name(id=name) if name in trail.known:
            return _made(trail.known[name])
        case ast.Name(id=name) | ast.Attribute(attr=name) if (
            COEFFICIENT.match(name) or code.types.kind_of(node) is Kind.NUMBER
        ):
            return Made.NUMBERS
        case ast.BinOp(left=left, right=right):
            return of(left, right)
        case ast.UnaryOp(operand=inner) | ast.Subscript(value=inner):
            return of(inner)
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return of(*parts)
        case ast.Call(func=ast.Attribute(value=receiver) | receiver):
            return _composed_by(code, node, of(receiver), of(*node.args))
    return Made.MORE


def _composed_by(code: Code, call: ast.Call, receiver: Made, given: Made) -> Made:
    """What a call makes of its receiver and arguments: torch's functions and losses only make numbers of
    numbers. Who writes `.detach()` knows what they are."""
    dotted = code.names.resolve(call.func)
    if MAKES_NUMBERS.match(dotted):
        return Made.NUMBERS
    if dotted in ENDING_CALLS or getattr(call.func, "attr", "") in ENDING_METHODS:
        return Made.MORE
    if dotted.startswith("torch.") and "Tensor." not in dotted:
        return given
    if code.types.kind_of(call.func) is Kind.CRITERION:
        return given
    return max(receiver, given)


def _made(term: str) -> Made:
    return Made.MORE if term else Made.SLOPES
