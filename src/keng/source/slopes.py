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
Known = dict[str, str]
"""What names hold: "" for such gradients and numbers alone, else the term in it that is only a number."""


class Made(IntEnum):
    """What an expression is made of; the greatest of its parts decides."""

    NUMBERS = 0
    SLOPES = 1
    MORE = 2


class Slopes(Gradients):
    def slopes_without_graph(self) -> Iterator[tuple[ast.Call, str, str]]:
        """Calls of `torch.autograd.grad` that make no graph, where what is computed of their numbers alone
        is added to a loss that goes backward: the call, that term and the loss, as texts."""
        for call in self.calls_to("torch.autograd.grad"):
            asked = self.argument(call, "create_graph", position=4)
            told = asked is None and all(keyword.arg for keyword in call.keywords)
            if told or (asked is not None and self.me.is_constant(asked, False)):
                for term, loss in self._losses_with(call, "", 2):
                    yield call, term, loss
                    break

    def _losses_with(self, source: ast.Call, gives: str, depth: int) -> Iterator[tuple[str, str]]:
        """The terms and losses that the value of a call becomes, which is as Known has it."""
        known: Known = {}
        scope = self.body_around(source)
        first = self.statement(source)
        for node in self.below(scope, ast.Assign, ast.AugAssign, ast.Return, ast.Expr):
            if self.body_around(node) is not scope or self.position(node) < self.position(first):
                continue
            value: ast.expr | None = getattr(node, "value", None)
            if value is None:
                continue
            told = self._told(value, source, gives, known)
            match node:
                case ast.Assign(targets=targets):
                    _hold(known, targets, told)
                case ast.AugAssign(target=ast.Name(id=name), op=ast.Add() | ast.Sub()):
                    term = ast.unparse(value) if told == "" else told
                    _hold(known, [node.target], known.get(name) if term is None else term)
                case ast.Return() if (
                    told is not None
                    and depth
                    and isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef))
                ):
                    for code, call in self.callers(scope):
                        yield from code.me._losses_with(call, told, depth - 1)
                case ast.Expr(value=ast.Call() as call) if self.act_of(call) is Act.BACKWARD:
                    for lost in self.lost(call):
                        if known.get(lost.id):
                            yield known[lost.id], lost.id

    def _told(self, node: ast.expr, source: ast.Call, gives: str, known: Known) -> str | None:
        """What an expression holds, as Known has it; None for what has nothing of these gradients, or has
        them in another way than as a term."""
        if node is source:
            return gives
        match node:
            case ast.Name(id=name) if known.get(name):
                return known[name]
            case ast.BinOp(left=left, right=right):
                if self._composed(node, source, gives, known) is Made.SLOPES:
                    return ""
                sides = [self._told(side, source, gives, known) for side in (left, right)]
                if isinstance(node.op, (ast.Add, ast.Sub)) and "" in sides:
                    return ast.unparse((left, right)[sides.index("")])
                return next(filter(None, sides), None)
            case ast.UnaryOp(operand=operand):
                return self._told(operand, source, gives, known)
        return "" if self._composed(node, source, gives, known) is Made.SLOPES else None

    def _composed(self, node: ast.expr, source: ast.Call, gives: str, known: Known) -> Made:
        def of(*parts: ast.expr) -> Made:
            return max(
                (self._composed(each, source, gives, known) for each in parts), default=Made.NUMBERS
            )

        if node is source:
            return Made.MORE if gives else Made.SLOPES
        match node:
            case ast.Constant():
                return Made.NUMBERS
            case ast.Name(id=name) if name in known:
                return Made.MORE if known[name] else Made.SLOPES
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
            case ast.Call():
                return self._composed_by(node, of(*_receiver(node)), of(*node.args))
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


def _receiver(call: ast.Call) -> Iterable[ast.expr]:
    return [call.func.value] if isinstance(call.func, ast.Attribute) else [call.func]


def _hold(known: Known, targets: Iterable[ast.expr], told: str | None) -> None:
    for name in [n for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)]:
        known.pop(name.id, None)
        if told is not None:
            known[name.id] = told
