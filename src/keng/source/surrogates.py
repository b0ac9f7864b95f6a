"""A layer of Code: gradients that are written by hand, and what they leave out."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from keng.source.contexts import Grad
from keng.source.index import FUNCTIONS, Function, names_in
from keng.source.rereading import Rereading
from keng.source.values import Kind

FUNCTION = "torch.autograd.Function"
ROUNDED = frozenset("round sign sgn floor ceil trunc".split())
"""Functions and methods that leave no slope, whatever is done to a scale of theirs."""
CHOSEN = frozenset("argmax argmin one_hot eq gt lt ge le heaviside bernoulli".split())
KEEPS_STEPS = frozenset(
    "to float double half long int bool type type_as clamp clip clamp_ view reshape squeeze unsqueeze".split()
)
FILLED = frozenset("zeros_like ones_like zeros ones full_like".split())
LOSSES = re.compile(r"loss|ctc|nll|entropy|rnnt|transducer", re.IGNORECASE)
NOTHING = frozenset("zeros zeros_like new_zeros empty empty_like full full_like".split())
SEVERAL = (ast.List, ast.Tuple, ast.ListComp, ast.GeneratorExp, ast.Starred, ast.Lambda)
FARTHEST = 4


class Surrogates(Rereading):
    def straight_through_with_graph(self) -> Iterator[tuple[ast.BinOp, ast.expr, ast.expr]]:
        """Sums in which a value is added and taken away again, both with their graphs, around what is a step:
        the sum, that value, and the rest."""
        for whole in self.of(ast.BinOp):
            if not _adds(whole) or _adds(self.parent[whole]):
                continue
            signed = list(_signed_terms(whole))
            if len(signed) != 3:
                continue
            for value, plus in signed:
                rest = [t for t, sign in signed if sign and ast.unparse(t) != ast.unparse(value)]
                if not plus or len(rest) != 1 or not self._is_flat(rest[0]):
                    continue
                if self._is_recorded_value(value, signed) and self._records(whole):
                    yield whole, value, rest[0]

    def _is_recorded_value(self, value: ast.expr, signed: list[tuple[ast.expr, bool]]) -> bool:
        """Whether a name or attribute is taken away once, as it was added, and leads to no end of a graph."""
        if not isinstance(value, (ast.Name, ast.Attribute)):
            return False
        same = [t for t, sign in signed if not sign and ast.unparse(t) == ast.unparse(value)]
        alike = isinstance(value, ast.Attribute) or (
            len(same) == 1 and isinstance(same[0], ast.Name) and self.same_value(value, same[0])
        )
        return len(same) == 1 and alike and not self.graph_ends(value)

    def _records(self, node: ast.expr) -> bool:
        owner = self.class_around(node)
        by_hand = owner is not None and any(self.resolve(b) == FUNCTION for b in owner.bases)
        return not by_hand and self.grad_at(node) is not Grad.OFF

    def _is_flat(self, node: ast.expr | None, depth: int = 8) -> bool:
        """Whether a value is known to have no slope in what it was rounded or chosen from."""
        match node:
            case ast.Compare():
                return True
            case ast.Name() if depth:
                return self._is_flat(self.assigned(node), depth - 1)
            case ast.UnaryOp(operand=inner):
                return self._is_flat(inner, depth)
            case ast.BinOp(left=left, right=right):
                return self._is_scaled(left, right, depth) or self._is_scaled(right, left, depth)
            case ast.Subscript(slice=places):
                return self._was_chosen(places)
            case ast.Call():
                return self._gives_flat(node, depth)
        return False

    def _is_scaled(self, step: ast.expr, by: ast.expr, depth: int) -> bool:
        """Whether one side of an operation has no slope, and the other is a scale of it or a shift."""
        if not self._is_flat(step, depth):
            return False
        plain = self.kind_of(by) is Kind.NUMBER or self._is_flat(by, depth)
        names = isinstance(by, (ast.Name, ast.Attribute))
        return plain or (names and self._was_rounded(step, depth))

    def _was_rounded(self, node: ast.expr | None, depth: int) -> bool:
        if isinstance(node, ast.Name) and depth:
            return self._was_rounded(self.assigned(node), depth - 1)
        calls = [n for n in ast.walk(node) if isinstance(n, ast.Call)] if node is not None else []
        return any(self.written_name(call.func) in ROUNDED for call in calls)

    def _gives_flat(self, call: ast.Call, depth: int) -> bool:
        name, told = self.written_name(call.func), self.what_runs(call)
        if told is not None:
            given = told.code.returns(told.node)
            code = told.code.me
            return bool(depth and given) and all(code._is_flat(g, depth - 1) for g in given)
        if name in ROUNDED | CHOSEN:
            return True
        method = isinstance(call.func, ast.Attribute) and not self.resolve(call.func)
        first = self.me.receiver(call) if method else next(iter(call.args), None)
        if name in KEEPS_STEPS:
            return self._is_flat(first, depth)
        if name == "where" and len(call.args) == 3:
            return all(self._is_level(each) or self._is_flat(each, depth) for each in call.args[1:])
        if name in ("scatter", "scatter_") and call.args:
            return first is not None and self._is_level(first) and self._is_level(call.args[-1])
        return False

    def _is_level(self, node: ast.expr) -> bool:
        """Whether a value is one number throughout."""
        filled = isinstance(node, ast.Call) and self.written_name(node.func) in FILLED
        return filled or self.kind_of(node) is Kind.NUMBER

    def _was_chosen(self, places: ast.expr) -> bool:
        """Whether an index is that of the nearest or the largest."""
        made = self.assigned(places) or places
        return isinstance(made, ast.Call) and self.written_name(made.func) in ("argmin", "argmax")

    def _leads_to(self, node: ast.expr, depth: int) -> Iterator[ast.AST]:
        """All that a value is computed from, through names and the functions of the project."""
        for each in ast.walk(node):
            yield each
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load) and depth:
                for binding in self.reaching(each):
                    if binding.how == "assign" and binding.value is not None:
                        yield from self._leads_to(binding.value, depth - 1)
            told = self.what_runs(each) if isinstance(each, ast.Call) and depth else None
            if told is not None:
                for given in told.code.returns(told.node):
                    yield from told.code.me._leads_to(given, depth - 1)

    def gradients_unread(self) -> Iterator[tuple[Function, str, ast.expr, bool]]:
        """The backwards of Functions that compute a gradient from what they kept and never read the one that
        they are given: the method, its argument, what it returns, and whether no loss is computed there."""
        for owner in self.of(ast.ClassDef):
            backward = self.member(owner, ["backward"])
            if not isinstance(backward, FUNCTIONS) or FUNCTION not in map(
                self.resolve, owner.bases
            ):
                continue
            context, given = self.arguments(backward)[:1], self.arguments(backward)[1:]
            named = [a.arg for a in given if not a.arg.startswith("_")]
            spread = backward.args.vararg or backward.args.kwarg
            read = {n.id for n in self.below(backward, ast.Name)}
            if spread or not named or len(named) != len(given) or read & set(named):
                continue
            told = [r for r in self.returns(backward) if self._is_kept(r, context[0].arg)]
            if told:
                yield backward, named[0], told[0], not self._computes_loss(owner)

    def _is_kept(self, returned: ast.expr, context: str) -> bool:
        """Whether a gradient is computed from what `forward` kept, and is not nothing."""
        parts = returned.elts if isinstance(returned, ast.Tuple) else [returned]
        return any(self._is_made_of(part, context) for part in parts)

    def _is_made_of(self, part: ast.expr, context: str) -> bool:
        found = list(self._leads_to(part, FARTHEST))
        calls = [each for each in found if isinstance(each, ast.Call)]
        run_by_it = any(ast.unparse(call.func).rpartition(".")[0] == context for call in calls)
        filled = any(self.written_name(call.func) in NOTHING for call in calls)
        several = any(isinstance(each, SEVERAL) for each in found)
        names = {each.id for each in found if isinstance(each, ast.Name)}
        return context in names and not (run_by_it or filled or several)

    def _computes_loss(self, owner: ast.ClassDef) -> bool:
        """Whether a Function gives a loss, on which backward is mostly called as it is."""
        forward = self.member(owner, ["forward"])
        given = self.returns(forward) if isinstance(forward, FUNCTIONS) else []
        named = any(LOSSES.search(name) for value in given for name in names_in(value))
        reduced = any(self.is_scalar(value) for value in given)
        return named or reduced or LOSSES.search(owner.name) is not None


def _adds(node: ast.AST) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub))


def _signed_terms(node: ast.expr, plus: bool = True) -> Iterator[tuple[ast.expr, bool]]:
    """The terms of a sum, and whether they are added or taken away."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
        yield from _signed_terms(node.left, plus)
        yield from _signed_terms(node.right, plus is isinstance(node.op, ast.Add))
    else:
        yield node, plus
