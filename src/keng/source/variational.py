"""A layer of Code: the terms of a variational autoencoder, by their formulas."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cached_property

from keng.source.meanings import Meanings
from keng.source.values import Kind

LOG_VARIANCE = re.compile(r"(?:\w*_)?log_?var(?:iance)?(?:_\w*)?$|logvars?$", re.IGNORECASE)
DEVIATION = re.compile(r"(?:\w*_)?(?:std|stddev|sigma)(?:_\w*)?$", re.IGNORECASE)
SUMS = ("sum", "mean")
TURNING = (ast.Add, ast.Sub)


class Variational(Meanings):
    def divergences_turned_round(self) -> Iterator[tuple[ast.expr, str]]:
        """Sums of a reconstruction's loss and a Kullback-Leibler term of the opposite sign: that term, and
        the loss."""
        for both in self.of(ast.BinOp) if self._divergences else ():
            if not isinstance(both.op, TURNING) or isinstance(self.parent[both], ast.BinOp):
                continue
            terms = list(_terms(both, 1))
            losses = [(term, sign) for term, sign in terms if self._is_reconstruction(term)]
            for term, sign in terms if losses else ():
                way = self._divergence_sign(term) * sign
                if way and all(way != other for _, other in losses):
                    yield term, self.text_of(losses[0][0])

    def deviations_of_log_variances(self) -> Iterator[tuple[ast.Call, str, str]]:
        """`std = torch.exp(logvar)`, in a file whose divergence takes that for the variance: the call, and
        both names."""
        for call in self.calls_named("exp") if self._divergences else ():
            kept = self.parent[call]
            target = kept.targets[0] if isinstance(kept, ast.Assign) else None
            given = self._raised(call)
            if isinstance(target, ast.Name) and given is not None:
                name = given.attr if isinstance(given, ast.Attribute) else getattr(given, "id", "")
                if LOG_VARIANCE.match(name) and DEVIATION.match(target.id):
                    yield call, target.id, self.text_of(given)

    @cached_property
    def _divergences(self) -> list[ast.expr]:
        """What is said of each element in the divergences of the file."""
        found: list[ast.expr] = []
        for call in self.calls_named("exp"):
            whole: ast.expr = call
            while isinstance(above := self.parent[whole], (ast.BinOp, ast.UnaryOp)):
                if isinstance(above, ast.BinOp) and not isinstance(above.op, TURNING):
                    break
                whole = above
            found += [whole] if self._pointwise_sign(whole) else []
        return found

    def _raised(self, call: ast.expr) -> ast.expr | None:
        """`x` of `torch.exp(x)` or `x.exp()`."""
        if not isinstance(call, ast.Call) or self.written_name(call.func) != "exp":
            return None
        if self.resolve(call.func) == "torch.exp":
            return call.args[0] if call.args else None
        method = isinstance(call.func, ast.Attribute) and not self.resolve(call.func)
        return self.me.receiver(call) if method and not call.args else None

    def _is_reconstruction(self, term: ast.expr) -> bool:
        """Whether a term is what a loss of torch gives, times a number perhaps."""
        made = self.assigned(term) if isinstance(term, ast.Name) else term
        for inner in ast.walk(made) if made is not None else ():
            if isinstance(inner, ast.Call):
                dotted = self.resolve(inner.func)
                known = dotted.startswith("torch.nn.functional.") and not dotted.endswith("kl_div")
                return known or self.kind_of(inner.func) is Kind.CRITERION
        return False

    def _divergence_sign(self, term: ast.expr, depth: int = 6) -> int:
        """1 where a term is a divergence from the standard normal distribution, -1 where it is one turned
        round, 0 where that is not known."""
        match term:
            case ast.Name() if depth:
                made = self.assigned(term)
                return self._divergence_sign(made, depth - 1) if made is not None else 0
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                return -self._divergence_sign(inner, depth)
            case ast.BinOp(op=ast.Mult() | ast.Div(), left=left, right=right):
                signs = [self._divergence_sign(side, depth) for side in (left, right)]
                by = right if signs[0] else left
                return sum(signs) * _sign(by) if 0 in signs else 0
            case ast.Call(func=called, args=given) if self.written_name(called) in SUMS:
                if not self.resolve(called).startswith("torch."):
                    given = [called.value] if isinstance(called, ast.Attribute) else []
                return self._divergence_sign(given[0], depth) if given else 0
            case ast.BinOp(op=ast.Add() | ast.Sub()):
                return self._pointwise_sign(term)
        return 0

    def _pointwise_sign(self, inner: ast.expr) -> int:
        """-1 for `1 + logvar - mu ** 2 - exp(logvar)`, 1 for its opposite."""
        terms = list(_terms(inner, 1))
        raised = [(self._raised(term), sign) for term, sign in terms]
        powers = [(given, sign) for given, sign in raised if given is not None]
        if len(terms) != 4 or len(powers) != 1 or powers[0][0] is None:
            return 0
        given, way = powers[0]
        plain = [sign for t, sign in terms if ast.unparse(t) == ast.unparse(given)]
        ones = [sign for t, sign in terms if isinstance(t, ast.Constant) and t.value == 1]
        squares = [sign for t, sign in terms if _is_square(t)]
        return way if plain == ones == [-way] and squares == [way] else 0


def _terms(node: ast.expr, sign: int) -> Iterator[tuple[ast.expr, int]]:
    """The terms of a sum, each with its sign."""
    match node:
        case ast.BinOp(op=ast.Add() | ast.Sub() as op, left=left, right=right):
            yield from _terms(left, sign)
            yield from _terms(right, sign if isinstance(op, ast.Add) else -sign)
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            yield from _terms(inner, -sign)
        case _:
            yield node, sign


def _sign(factor: ast.expr) -> int:
    """The sign of a factor; what has a name is taken for positive."""
    match factor:
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return -_sign(inner)
        case ast.BinOp(op=ast.Mult() | ast.Div(), left=left, right=right):
            return _sign(left) * _sign(right)
    return 1


def _is_square(node: ast.expr) -> bool:
    match node:
        case ast.BinOp(op=ast.Pow(), right=ast.Constant(value=2)):
            return True
        case ast.Call(func=ast.Attribute(attr="pow"), args=[*_, ast.Constant(value=2)]):
            return True
        case ast.Call(func=ast.Attribute(attr="square")):
            return True
        case ast.BinOp(op=ast.Mult(), left=left, right=right):
            return ast.unparse(left) == ast.unparse(right)
    return False
