"""A layer of Code: gradients that are computed as plain numbers, and the losses that they are added to."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from enum import IntEnum

from keng.source.gradients import ENDING_CALLS, ENDING_METHODS, Gradients
from keng.source.loops import Act
from keng.source.values import Kind

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


class Slopes(Gradients):
    def slopes_without_graph(self) -> Iterator[tuple[ast.Call, str, str]]:
        """Calls of `torch.autograd.grad` that make no graph, where what is computed of their numbers alone
        is added to a loss that goes backward: the call, that term and the loss, as texts."""
        for call in self.calls_to("torch.autograd.grad"):
            asked = self.argument(call, "create_graph", position=4)
            unsaid = asked is None and all(keyword.arg for keyword in call.keywords)
            if unsaid or (asked is not None and self.me.is_constant(asked, False)):
                for term, loss in self._losses_with(Trail(call), 2):
                    yield call, term, loss
                    break

    def _losses_with(self, trail: Trail, depth: int) -> Iterator[tuple[str, str]]:
        """The terms and losses that the value of a call becomes."""
        scope = self.body_around(trail.source)
        for node, value in self._since(trail.source):
            term = self._term(value, trail)
            match node:
                case ast.Assign(targets=targets):
                    trail.hold(targets, term)
                case ast.AugAssign(target=ast.Name(id=name) as total, op=ast.Add() | ast.Sub()):
                    added = ast.unparse(value) if term == "" else term
                    trail.hold([total], trail.known.get(name) if added is None else added)
                case ast.Return() if term is not None and depth:
                    if isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef)):
                        for code, call in self.callers(scope):
                            yield from code.me._losses_with(Trail(call, term), depth - 1)
                case ast.Expr(value=ast.Call() as call) if self.act_of(call) is Act.BACKWARD:
                    for lost in self.lost(call):
                        if trail.known.get(lost.id):
                            yield trail.known[lost.id], lost.id

    def _since(self, call: ast.Call) -> Iterator[tuple[ast.AST, ast.expr]]:
        """The statements of its body with a value, from that of a call on, and these values."""
        scope, first = self.body_around(call), self.position(self.statement(call))
        for node in self.below(scope, ast.Assign, ast.AugAssign, ast.Return, ast.Expr):
            value: ast.expr | None = getattr(node, "value", None)
            if value is None or self.body_around(node) is not scope:
                continue
            if self.position(node) >= first:
                yield node, value

    def _term(self, node: ast.expr, trail: Trail) -> str | None:
        """What an expression holds of a trail, as a name would; None for what has nothing of it, or has it
        in another way than as a term."""
        if node is trail.source:
            return trail.gives
        match node:
            case ast.Name(id=name) if trail.known.get(name):
                return trail.known[name]
            case ast.BinOp(left=left, right=right):
                if self._composed(node, trail) is Made.SLOPES:
                    return ""
                sides = [self._term(side, trail) for side in (left, right)]
                if isinstance(node.op, (ast.Add, ast.Sub)) and "" in sides:
                    return ast.unparse((left, right)[sides.index("")])
                return next(filter(None, sides), None)
            case ast.UnaryOp(operand=operand):
                return self._term(operand, trail)
        return "" if self._composed(node, trail) is Made.SLOPES else None

    def _composed(self, node: ast.expr, trail: Trail) -> Made:
        def of(*parts: ast.expr) -> Made:
            return max((self._composed(each, trail) for each in parts), default=Made.NUMBERS)

        if node is trail.source:
            return _made(trail.gives)
        match node:
            case ast.Constant():
                return Made.NUMBERS
            case ast.Name(id=name) if name in trail.known:
                return _made(trail.known[name])
            case ast.Name(id=name) | ast.Attribute(attr=name) if (
                COEFFICIENT.match(name) or self.kind_of(node) is Kind.NUMBER
            ):
                return Made.NUMBERS
            case ast.BinOp(left=left, right=right):
                return of(left, right)
            case ast.UnaryOp(operand=inner) | ast.Subscript(value=inner):
                return of(inner)
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                return of(*parts)
            case ast.Call(func=ast.Attribute(value=receiver) | receiver):
                return self._composed_by(node, of(receiver), of(*node.args))
        return Made.MORE

    def _composed_by(self, call: ast.Call, receiver: Made, given: Made) -> Made:
        """What a call makes of its receiver and arguments: torch's functions and losses only make numbers of
        numbers. Who writes `.detach()` knows what they are."""
        dotted = self.resolve(call.func)
        if MAKES_NUMBERS.match(dotted):
            return Made.NUMBERS
        if dotted in ENDING_CALLS or getattr(call.func, "attr", "") in ENDING_METHODS:
            return Made.MORE
        if dotted.startswith("torch.") and "Tensor." not in dotted:
            return given
        if self.kind_of(call.func) is Kind.CRITERION:
            return given
        return max(receiver, given)


def _made(term: str) -> Made:
    return Made.MORE if term else Made.SLOPES
