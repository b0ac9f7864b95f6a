"""A layer of Code: what belongs together and is handled apart."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from keng.source.index import Function
from keng.source.surrogates import Surrogates
from keng.source.values import Kind

PERMUTATIONS = ("torch.randperm", "numpy.random.permutation")
SHUFFLES = ("random.shuffle", "numpy.random.shuffle")
LABEL = re.compile(
    r"^(?:y|ys|[yY]_?(?:all|train|tr|data|batch|onehot|hot)|.*(?:label|target|onehot|one_hot)s?\d?)$",
    re.IGNORECASE,
)
OF_ALL_GROUPS = re.compile(
    r"(?:set|adjust|update|change|decay|schedule|anneal|step|warm_?up)\w*(?:lr|rate)|(?:lr|rate)_?(?:sched|decay|step)|warm_?up",
    re.IGNORECASE,
)
OF_ONE_GROUP = re.compile(r"group|backbone|encoder|head|body|first|base", re.IGNORECASE)
"""Words of functions that mean one group of several."""
SEEDS = re.compile(r"seed|set_state|set_rng_state|setstate")


class Apart(Surrogates):
    def permuted_apart(self) -> Iterator[tuple[ast.expr, str, str]]:
        """Labels that are put in another random order than what they belong to: where, the labels, and the
        others."""
        if not any(self.calls_named(name) for name in ("randperm", "permutation", "shuffle")):
            return
        for found in (self._taken_in_order(), self._ordered_by_functions(), self._shuffled()):
            orders = list(found)
            labels = [each for each in orders if _is_label(each[1])]
            others = [each for each in orders if not _is_label(each[1])]
            for place, text, order in labels:
                beside = [each for each in others if self._is_beside(place, each[0])]
                if beside and not any(order is each[2] for each in beside):
                    yield place, text, beside[0][1]

    def _is_beside(self, one: ast.expr, other: ast.expr) -> bool:
        """Whether two places stand in the same block of one function, with no seed set between them."""
        first, second = sorted((self.statement(one), self.statement(other)), key=self.position)
        together = self.parent.get(first) is self.parent.get(second)
        _, behind = self.beside(first, self.parent[first]) if together else ([], [])
        if first is second:
            return True
        between = [s for s in behind if self.position(s) < self.position(second)]
        return second in behind and not any(SEEDS.search(ast.unparse(s)) for s in between)

    def _taken_in_order(self) -> Iterator[tuple[ast.expr, str, ast.AST]]:
        """What is put in a random order under its own name, or mixed with itself so: the place, its name and
        the order."""
        for taken in self.of(ast.Subscript):
            order = self._order_of(taken)
            if order is None or not isinstance(taken.value, ast.Name):
                continue
            if self._replaces(taken) or self._mixes(taken, taken.value.id):
                yield taken, taken.value.id, order

    def _order_of(self, taken: ast.Subscript) -> ast.Call | None:
        """The permutation in which the rows are taken."""
        places = taken.slice.elts[0] if isinstance(taken.slice, ast.Tuple) else taken.slice
        made = self.assigned(places) or places
        if not isinstance(made, ast.Call) or self.resolve(made.func) not in PERMUTATIONS:
            return None
        return None if any(keyword.arg == "generator" for keyword in made.keywords) else made

    def _replaces(self, taken: ast.expr) -> bool:
        """Whether what is taken becomes the value of its own name, alone or as one of several."""
        statement = self.statement(taken)
        if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
            return False
        target, value = statement.targets[0], statement.value
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and taken in value.elts:
            target, value = target.elts[value.elts.index(taken)], taken
        own = taken.value if isinstance(taken, ast.Subscript) else taken
        return value is taken and ast.unparse(target) == ast.unparse(own)

    def _mixes(self, taken: ast.expr, name: str) -> bool:
        """Whether what is taken is added to what it was taken from, each with its weight."""
        summed = self.around(taken, ast.BinOp)
        while isinstance(summed, ast.BinOp) and not isinstance(summed.op, ast.Add):
            summed = self.around(summed, ast.BinOp)
        if summed is None or self.statement(summed) is not self.statement(taken):
            return False
        other = summed.left if self.within(taken, summed.right) else summed.right
        return any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(other))

    def _ordered_by_functions(self) -> Iterator[tuple[ast.expr, str, ast.AST]]:
        """Arguments of functions of this file that put them in an order of their own."""
        for function in self.of(ast.FunctionDef):
            name = self._reordered_argument(function)
            for code, call in self.callers(function) if name else ():
                given = code.passed(call, function, name)
                if code is self.me and isinstance(given, ast.Name):
                    yield call, given.id, call

    def _reordered_argument(self, function: Function) -> str:
        """The argument of a function that it gives back in a random order of its own, or mixed with that."""
        arguments = {argument.arg for argument in self.arguments(function)}
        given = self.returns(function)
        if len(given) != 1 or SEEDS.search(self.text_of(function)):
            return ""
        value = self.assigned(given[0]) or given[0]
        for taken in [n for n in ast.walk(value) if isinstance(n, ast.Subscript)]:
            order, own = self._order_of(taken), taken.value
            if order is None or not isinstance(own, ast.Name) or own.id not in arguments:
                continue
            here = self.function_around(order) is function
            if here and (value is taken or self._mixes(taken, own.id)):
                return own.id
        return ""

    def _shuffled(self) -> Iterator[tuple[ast.expr, str, ast.AST]]:
        """What is shuffled in place: the call, the name and the call, which is an order of its own."""
        for call in self.calls_to(*SHUFFLES):
            if len(call.args) == 1 and isinstance(call.args[0], ast.Name):
                yield call, call.args[0].id, call

    def first_group_alone(self) -> Iterator[tuple[ast.stmt, ast.expr, ast.expr | None]]:
        """Rates that are set in the first group of an optimizer only, which has several that are to follow:
        the statement, the optimizer, and where the groups have the same rate the target in it."""
        found = list(self._rates_set())
        if any(groups is None for _, groups, _ in found):
            return
        for statement, groups, target in found:
            optimizer = groups.value if groups is not None else None
            rates = self._rates_of_groups(optimizer) if optimizer is not None else []
            if optimizer is None or len(rates) < 2 or "0" in rates or "0.0" in rates:
                continue
            function = self.function_around(statement)
            name = function.name if function is not None else ""
            of_all = OF_ALL_GROUPS.search(name) and not OF_ONE_GROUP.search(name)
            if len(set(rates)) == 1 or of_all:
                alike = isinstance(target.value, ast.Subscript) and len(set(rates)) == 1
                direct = alike and self._has_its_line(statement)
                yield statement, optimizer, target if direct else None

    def _has_its_line(self, statement: ast.stmt) -> bool:
        _, end = self.me.bounds(statement)
        behind = self.data[end:].lstrip(b" \t")
        return self.me.starts_line(statement) and not behind.startswith(b";")

    def _rates_set(self) -> Iterator[tuple[ast.stmt, ast.Attribute | None, ast.Subscript]]:
        """Where the rate of a group is set, with the `param_groups` of which it is the first, or None."""
        for target in self.of(ast.Subscript):
            stored = isinstance(target.ctx, ast.Store)
            if not stored or not isinstance(target.slice, ast.Constant):
                continue
            if target.slice.value == "lr":
                group = self.assigned(target.value) or target.value
                first = isinstance(group, ast.Subscript) and self.me.number(group.slice) == 0
                groups = group.value if isinstance(group, ast.Subscript) and first else None
                named = isinstance(groups, ast.Attribute) and groups.attr == "param_groups"
                told = groups if isinstance(groups, ast.Attribute) and named else None
                yield self.statement(target), told, target

    def _rates_of_groups(self, optimizer: ast.expr) -> list[str]:
        """The rates of the groups that an optimizer is made with, as text; nothing where not known."""
        made = self.value_of(optimizer)
        if made.kind is not Kind.OPTIMIZER or made.call is None or made.call not in self.parent:
            return []
        given = self.argument(made.call, "params", 0)
        groups = self.assigned(given) or given
        listed = groups.elts if isinstance(groups, (ast.List, ast.Tuple)) else []
        found: list[str] = []
        for group in listed:
            if not isinstance(group, ast.Dict):
                return []
            keys = {
                k.value: v
                for k, v in zip(group.keys, group.values, strict=True)
                if isinstance(k, ast.Constant)
            }
            found.append(ast.unparse(keys["lr"]) if "lr" in keys else "")
        return found


def _is_label(name: str) -> bool:
    return LABEL.match(name) is not None
