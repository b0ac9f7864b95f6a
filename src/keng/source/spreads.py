"""A layer of Code: standard deviations and variances, which are taken for each other."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from keng.source.names import Binding
from keng.source.scales import Scales

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


class Spreads(Scales):
    def spreads_mistaken(self) -> Iterator[tuple[ast.expr, ast.Call, int, bool]]:
        """Standard deviations where a variance is taken, and variances where a deviation is: what is given,
        the call, the power that it has, and whether that is sure."""
        for call in self._gaussian_losses():
            given = self.argument(call, "var", 2)
            spread = self._spread(given)
            if given is not None and spread.power == 1:
                yield given, call, 1, spread.evidence > 0
        for call in self.calls_to(*NORMALS):
            given = self.argument(call, "scale", 1)
            spread = self._spread(given)
            if given is not None and spread.power == 2:
                yield given, call, 2, spread.evidence == 2 or self._has_log_variances

    @cached_property
    def _has_log_variances(self) -> bool:
        """Whether a formula of the file reads something as the logarithm of a variance."""
        given = [self._raised(call) for call in self.calls_named("exp")]
        halved = any(isinstance(g, ast.BinOp) and self._logarithm_of(g) == 1 for g in given)
        return halved or bool(self._divergences)

    def _gaussian_losses(self) -> Iterator[ast.Call]:
        yield from self.calls_to("torch.nn.functional.gaussian_nll_loss")
        if b"GaussianNLLLoss" in self.data:
            yield from (c for c in self.of(ast.Call) if self._is_gaussian(c))

    def _is_gaussian(self, call: ast.Call) -> bool:
        three = len(call.args) + len(call.keywords) == 3
        return three and self.value_of(call.func).dotted == GAUSSIAN

    def _spread(self, node: ast.expr | None, depth: int = 8) -> Spread:
        """What power of a standard deviation an expression is."""
        match node:
            case None:
                return NOT_KNOWN
            case _ if not depth:
                return NOT_KNOWN
            case ast.Name():
                return self._spread_of_name(node, depth - 1)
            case ast.Attribute(attr=name):
                return Spread(_named_power(name), 0)
            case ast.BinOp(op=ast.Add() | ast.Mult(), left=left, right=right):
                same = isinstance(node.op, ast.Mult) and ast.unparse(left) == ast.unparse(right)
                if same:
                    return self._raised_to(left, 2, depth)
                number = isinstance(right, ast.Constant)
                small = number or "eps" in ast.unparse(right).lower()
                if small or isinstance(left, ast.Constant):
                    return self._spread(left if small else right, depth - 1)
            case ast.BinOp(op=ast.Pow(), left=base, right=ast.Constant(value=number)):
                return self._raised_to(base, number, depth)
            case ast.Call(func=called):
                return self._spread_of_call(node, self.written_name(called), depth - 1)
        return NOT_KNOWN

    def _raised_to(self, base: ast.expr, number: object, depth: int) -> Spread:
        power = self._spread(base, depth - 1).power
        return Spread(SCALED.get((power, number), 0), 2)

    def _spread_of_call(self, call: ast.Call, name: str, depth: int) -> Spread:
        method = isinstance(call.func, ast.Attribute) and not self.resolve(call.func)
        given = self.me.receiver(call) if method else next(iter(call.args), None)
        if given is None or self.self_class(given) is not None:
            return NOT_KNOWN
        match name:
            case "exp":
                power = self._logarithm_of(given)
                return Spread(power, 3 - power)
            case "sqrt":
                return self._raised_to(given, 0.5, depth)
            case "square":
                return self._raised_to(given, 2, depth)
            case "pow":
                number = call.args[-1] if call.args else None
                value = number.value if isinstance(number, ast.Constant) else None
                return self._raised_to(given, value, depth)
            case "std" | "var":
                return Spread(1 if name == "std" else 2, 2)
        return self._spread(given, depth) if name in KEEPS_SPREAD else NOT_KNOWN

    def _logarithm_of(self, node: ast.expr) -> int:
        """The power of a standard deviation whose logarithm an expression is, by its name."""
        match node:
            case ast.BinOp(op=ast.Mult(), left=ast.Constant(value=number), right=inner):
                return SCALED.get((self._logarithm_of(inner), number), 0)
            case ast.BinOp(op=ast.Mult(), left=inner, right=ast.Constant(value=number)):
                return SCALED.get((self._logarithm_of(inner), number), 0)
            case ast.BinOp(op=ast.Div(), left=inner, right=ast.Constant(value=2)):
                return 1 if self._logarithm_of(inner) == 2 else 0
            case ast.Name(id=name) | ast.Attribute(attr=name):
                of = re.sub(r"^(\w+_)?log_?", "", name)
                return _named_power(of) if of != name else 0
        return 0

    def _spread_of_name(self, name: ast.Name, depth: int) -> Spread:
        ways = [self._spread_of_binding(binding, depth) for binding in self.reaching(name)]
        agree = len({way.power for way in ways}) == 1
        return min(ways, key=lambda way: way.evidence) if agree else NOT_KNOWN

    def _spread_of_binding(self, binding: Binding, depth: int) -> Spread:
        """By what is computed, or else by the name; not known where a function gives another."""
        by_name, value = Spread(_named_power(binding.name)), binding.value
        if binding.how == "assign" and value is not None and not binding.path:
            made = self._spread(value, depth)
            positive = any(map(self._is_positive, ast.walk(value)))
            return made if made.power else by_name._replace(evidence=int(positive))
        given = self._spreads_given(binding, depth)
        if not given:
            return by_name
        powers = {each.power for each in given} | {by_name.power}
        return min(given, key=lambda each: each.evidence) if len(powers) == 1 else NOT_KNOWN

    def _is_positive(self, node: ast.AST) -> bool:
        if not isinstance(node, ast.Call):
            return False
        layer = self.value_of(node.func).dotted
        return {self.written_name(node.func), layer.rpartition(".")[2]} & POSITIVE != set()

    def _spreads_given(self, binding: Binding, depth: int) -> list[Spread]:
        """What callers give an argument, or a function one of several names."""
        if isinstance(binding.node, ast.arg):
            given = self.given_by_callers(binding.node)
            return [code.me._spread(each, depth) for code, each in given if each is not None]
        runs = self.what_runs(binding.value) if isinstance(binding.value, ast.Call) else None
        if runs is None or len(binding.path) != 1:
            return []
        parts = [r.elts for r in runs.code.returns(runs.node) if isinstance(r, ast.Tuple)]
        place = binding.path[0]
        return [runs.code._spread(part[place], depth) for part in parts if place < len(part)]


def _named_power(name: str) -> int:
    if UNFINISHED.search(name):
        return 0
    return next((n for n, power in enumerate(POWERS, 1) if power.match(name)), 0)
