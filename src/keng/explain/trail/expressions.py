"""The values of expressions."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterator
from types import FunctionType, MethodType
from typing import Any

from keng.explain.reasons import evaluation
from keng.explain.reasons.evaluation import attribute, attributes
from keng.explain.trail.bindings import Bindings
from keng.explain.trail.deadline import Deadline
from keng.explain.trail.meta import is_torchs
from keng.explain.trail.operations import Operations
from keng.explain.trail.scope import UNKNOWN, Scope
from keng.explain.trail.steps import Follow, Function, Stopped, Unknown
from keng.explain.trail.values import MOST_ROUNDS, Values, same
from keng.explain.trail.whitelist import OF_TENSORS, OPERATORS, PLAIN

LIMIT_NODES = 60_000


class Expressions:
    """`call` evaluates a call, `follow` runs through a function of the program or of a library."""

    def __init__(
        self,
        values: Values,
        operations: Operations,
        bindings: Bindings,
        deadline: Deadline,
        call: Callable[[ast.Call, Scope], Any],
        follow: Follow,
    ) -> None:
        self._values = values
        self._operations = operations
        self._bindings = bindings
        self._deadline = deadline
        self._call = call
        self._follow = follow
        self._left = LIMIT_NODES

    def value(self, node: ast.expr, scope: Scope) -> Any:
        """Raises Unknown."""
        self._left -= 1
        if self._left < 0 or self._deadline.is_over():
            raise Stopped
        value = self._evaluated(node, scope)
        if value is UNKNOWN:
            raise Unknown
        return self._values.made(value)

    def or_unknown(self, node: ast.expr, scope: Scope) -> Any:
        try:
            return self.value(node, scope)
        except Unknown:
            return UNKNOWN

    def _evaluated(self, node: ast.expr, scope: Scope) -> Any:
        match node:
            case ast.Constant(value=value):
                return value
            case ast.Name(id=name):
                return scope.load(name)
            case ast.Attribute():
                return self._attribute(node, scope)
            case ast.Subscript(value=owner, slice=index):
                return self._item(node, self.value(owner, scope), index, scope)
            case ast.Slice(lower=lower, upper=upper, step=step):
                return slice(*(e and self.value(e, scope) for e in (lower, upper, step)))
            case ast.Tuple(elts=elements):
                return tuple(self.spread(elements, scope))
            case ast.List(elts=elements):
                return self._values.new(list(self.spread(elements, scope)))
            case ast.Dict(keys=keys, values=values) if None not in keys:
                given = zip(keys, values, strict=True)
                return self._values.new(
                    {self.value(k, scope): self.or_unknown(v, scope) for k, v in given if k}
                )
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return self.value(
                    body if self._values.truth(self.value(test, scope)) else orelse, scope
                )
            case ast.Lambda():
                return Function(node, scope)
            case ast.NamedExpr(target=target, value=value):
                scope.names[target.id] = self.value(value, scope)
                return scope.names[target.id]
        return self._computed(node, scope)

    def _computed(self, node: ast.expr, scope: Scope) -> Any:
        match node:
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return not self._values.truth(self.value(operand, scope))
            case ast.UnaryOp(op=op, operand=operand):
                return self._values.plainly(
                    OPERATORS[type(op).__name__], self.value(operand, scope)
                )
            case ast.BoolOp(op=op, values=values):
                return self._logic(isinstance(op, ast.And), values, scope)
            case ast.BinOp(left=left, op=op, right=right):
                pair = self.value(left, scope), self.value(right, scope)
                return self._operations.operated(type(op).__name__, *pair, node, scope)
            case ast.Compare():
                return self._compared(node, scope)
            case ast.Call():
                return self._call(node, scope)
            case ast.ListComp(elt=element) | ast.GeneratorExp(elt=element):
                return self._values.new(
                    list(self._comprehension(node.generators, [element], scope))
                )
            case ast.DictComp(key=key, value=value):
                pairs = self._comprehension(node.generators, [key, value], scope)
                return self._values.new(dict(pairs))
            case ast.JoinedStr():
                return ""
        raise Unknown

    def spread(self, elements: list[ast.expr], scope: Scope) -> Iterator[Any]:
        for each in elements:
            if isinstance(each, ast.Starred):
                yield from self._values.elements(self.value(each.value, scope))
            else:
                yield self.or_unknown(each, scope)

    def _logic(self, every: bool, values: list[ast.expr], scope: Scope) -> Any:
        value = None
        for each in values:
            value = self.value(each, scope)
            if self._values.truth(value) != every:
                return value
        return value

    def _compared(self, node: ast.Compare, scope: Scope) -> Any:
        left = self.value(node.left, scope)
        result: Any = True
        for op, comparator in zip(node.ops, node.comparators, strict=True):
            right = self.value(comparator, scope)
            result = self._comparison(op, left, right, node, scope)
            if result is False:
                return False
            left = right
        return result

    def _comparison(
        self, op: ast.cmpop, left: Any, right: Any, node: ast.expr, scope: Scope
    ) -> Any:
        match op:
            case ast.Is():
                return left is right
            case ast.IsNot():
                return left is not right
            case ast.In() | ast.NotIn():
                there = any(same(left, each) for each in self._values.elements(right))
                return there == isinstance(op, ast.In)
        return self._operations.operated(type(op).__name__, left, right, node, scope)

    def _comprehension(
        self,
        generators: list[ast.comprehension],
        elements: list[ast.expr],
        scope: Scope,
    ) -> Iterator[Any]:
        first, *rest = generators
        rounds = list(self._values.elements(self.value(first.iter, scope)))
        if len(rounds) > MOST_ROUNDS:
            raise Stopped
        kept = dict(scope.names)
        for each in rounds:
            self._bindings.bind(first.target, self._values.made(each), scope, ast.Pass())
            if all(self._values.truth(self.value(test, scope)) for test in first.ifs):
                if rest:
                    yield from self._comprehension(rest, elements, scope)
                elif len(elements) == 1:
                    yield self.value(elements[0], scope)
                else:
                    yield tuple(self.value(e, scope) for e in elements)
        scope.names.clear()
        scope.names.update(kept)

    def _attribute(self, node: ast.Attribute, scope: Scope) -> Any:
        owner = self.value(node.value, scope)
        return self.attribute_of(owner, node, scope)

    def attribute_of(self, owner: Any, node: ast.Attribute, scope: Scope) -> Any:
        name = node.attr
        known = self._bindings.overlaid(owner, name)
        if known is not None:
            return known.value
        if self._values.is_tensor(owner):
            if name not in OF_TENSORS:
                raise Unknown
            if name in ("shape", "dtype", "ndim", "device", "itemsize"):
                return getattr(owner, name)
            return self._operations.leaf(lambda x: getattr(x, name), [owner], {}, node, scope, name)
        try:
            return attribute(owner, name)
        except evaluation.Unknown:
            return self._property(owner, node, scope)

    def _property(self, owner: Any, node: ast.Attribute, scope: Scope) -> Any:
        found = inspect.getattr_static(type(owner), node.attr, None)
        if type(found) is property and type(found.fget) is FunctionType:
            return self._follow(found.fget, [owner], {}, scope, node)
        if type(found) is FunctionType:
            return MethodType(found, owner)
        if type(found) is staticmethod:
            return found.__func__
        if type(found) is classmethod:
            return MethodType(found.__func__, type(owner))
        raise Unknown

    def _item(self, node: ast.Subscript, owner: Any, index: ast.expr, scope: Scope) -> Any:
        at = self.value(index, scope)
        if self._values.is_tensor(owner):
            at = self._values.copies.of(at)
            name = f"[{ast.unparse(node).rpartition('[')[2]}"
            return self._operations.leaf(lambda x: x[at], [owner], {}, node, scope, name, at)
        if type(owner) in (list, tuple, str, range) or evaluation.is_shape(owner):
            return self._values.plainly(lambda value: value[at], owner)
        if type(owner) is dict and type(at) in PLAIN and at in owner:
            return owner[at]
        parts = attributes(owner).get("_modules") if is_torchs(type(owner)) else None
        if type(parts) is dict:
            return self._part(parts, at, owner)
        raise Unknown

    def _part(self, parts: dict[str, Any], at: Any, owner: Any) -> Any:
        """Of a ModuleList, a ModuleDict or a Sequential."""
        if type(at) is str and at in parts:
            return parts[at]
        if type(at) is int and -len(parts) <= at < len(parts):
            return list(parts.values())[at]
        if type(at) is slice:
            return list(parts.values())[at]
        raise Unknown
