"""Evaluates expressions to abstract values."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from keng.source.execution.conditions import key
from keng.source.execution.heap import Heap
from keng.source.execution.machine import Frame, Machine
from keng.source.execution.modules import Modules
from keng.source.execution.values import (
    CONSTANT,
    NONE,
    Constant,
    Function,
    Method,
    Object,
    Phi,
    Role,
    Scope,
    Tensor,
    Value,
    leaves,
    sequence,
)

NUMBERS: dict[str, Callable[[Any, Any], Any]] = {
    "Add": lambda a, b: a + b,
    "Sub": lambda a, b: a - b,
    "Mult": lambda a, b: a * b,
    "Div": lambda a, b: a / b,
    "FloorDiv": lambda a, b: a // b,
    "Mod": lambda a, b: a % b,
}
ABOUT = frozenset({"grad", "grad_fn", "layout", "names", "itemsize", "nbytes"})
"""Attributes of a tensor through which no gradient flows."""


class Expressions:
    def __init__(self, machine: Machine, modules: Modules, heap: Heap) -> None:
        self._machine = machine
        self._modules = modules
        self._heap = heap
        self._conditions = machine.conditions
        self._by_type: dict[type[ast.expr], Callable[[Any], Value]] = {
            ast.Constant: lambda node: Constant(node.value),
            ast.Name: self._name,
            ast.Attribute: self._attribute,
            ast.Call: self._call,
            ast.BinOp: self._arithmetic,
            ast.UnaryOp: self._unary,
            ast.BoolOp: self._boolean,
            ast.Compare: self._comparison,
            ast.IfExp: self._choice,
            ast.Subscript: lambda node: heap.item(self.of(node.value), self.of(node.slice)),
            ast.Tuple: self._several,
            ast.List: self._several,
            ast.Set: self._several,
            ast.Dict: self._dict,
            ast.ListComp: lambda node: self._comprehension(node, node.elt),
            ast.SetComp: lambda node: self._comprehension(node, node.elt),
            ast.GeneratorExp: lambda node: self._comprehension(node, node.elt),
            ast.DictComp: self._dict_comprehension,
            ast.JoinedStr: self._text,
            ast.Lambda: self._lambda,
            ast.NamedExpr: self._named,
            ast.Starred: lambda node: self.of(node.value),
            ast.Await: lambda node: self.of(node.value),
            ast.Yield: self._yielded,
            ast.YieldFrom: lambda node: self.of(node.value),
            ast.Slice: lambda node: self._conditions.unknown("slice", plain=True),
        }

    def of(self, node: ast.expr) -> Value:
        self._machine.tick()
        evaluate = self._by_type.get(type(node))
        return evaluate(node) if evaluate is not None else self._conditions.unknown()

    def _name(self, node: ast.Name) -> Value:
        frame = self._machine.frame
        found = self._modules.look_up(frame.scope, node.id, frame.home)
        if found is not None:
            return found
        return self._conditions.symbol("name", id(frame.home), node.id, name=node.id, plain=False)

    def _attribute(self, node: ast.Attribute) -> Value:
        found = self._member(node)
        if isinstance(found, Method) and isinstance(found.receiver, Tensor):
            # not called: `outputs.logits` is a part of what a model gives
            return found if node.attr in ABOUT else self._machine.computed([found.receiver])
        return found

    def _member(self, node: ast.Attribute) -> Value:
        of = self.of(node.value)
        if node.attr == "data" and self._machine.tensors([of]):
            return self._machine.cut(of, ".data", node)
        return self._machine.attribute(of, node.attr)

    def _text(self, node: ast.JoinedStr) -> Value:
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                self.of(part.value)
        return self._conditions.unknown("text", plain=True)

    def _lambda(self, node: ast.Lambda) -> Value:
        frame = self._machine.frame
        return Function(node, frame.home, frame.scope, None)

    def _yielded(self, node: ast.Yield) -> Value:
        return self.of(node.value) if node.value is not None else NONE

    def _named(self, node: ast.NamedExpr) -> Value:
        value = self.of(node.value)
        self._machine.assign(node.target, value)
        return value

    def _several(self, node: ast.Tuple | ast.List | ast.Set) -> Value:
        items: list[Value] = []
        spread: list[Value] = []
        for each in node.elts:
            value = self.of(each)
            if not isinstance(each, ast.Starred):
                items.append(value)
            elif isinstance(value, Object) and value.items is not None and not value.fields:
                items += value.items
            else:
                spread.append(value)
        made = sequence(None if spread else tuple(items))
        for value in [*items, *spread] if spread else ():
            self._heap.grow(made, value)
        return made

    def _dict(self, node: ast.Dict) -> Value:
        made = Object(Role.DICT)
        for name, given in zip(node.keys, node.values, strict=True):
            at, value = self.of(name) if name is not None else None, self.of(given)
            if isinstance(at, Constant):
                made.fields["item", at.value] = value
            else:
                made.fields["element"] = value
        return made

    def _call(self, node: ast.Call) -> Value:
        called = node.func
        function = self._member(called) if isinstance(called, ast.Attribute) else self.of(called)
        arguments: list[Value] = []
        for each in node.args:
            value = self.of(each)
            if isinstance(each, ast.Starred) and isinstance(value, Object) and value.items:
                arguments += value.items
            else:
                arguments.append(value)
        named = {k.arg: self.of(k.value) for k in node.keywords if k.arg is not None}
        for each in (k.value for k in node.keywords if k.arg is None):
            given = self.of(each)
            entries = given.fields.items() if isinstance(given, Object) else ()
            named |= {at[1]: v for at, v in entries if isinstance(at, tuple) and type(at[1]) is str}
        return self._machine.call(function, arguments, named, node)

    def _arithmetic(self, node: ast.BinOp) -> Value:
        return self.operate(type(node.op).__name__, self.of(node.left), self.of(node.right))

    def operate(self, operator: str, left: Value, right: Value) -> Value:
        """The value of `left + right` and the like."""
        sides = [*leaves(left), *leaves(right)]
        if any(isinstance(side, Tensor) for side in sides):
            return self._machine.computed([left, right])
        if isinstance(left, Constant) and isinstance(right, Constant):
            return self._number(operator, left.value, right.value)
        if operator == "Add" and all(_is_sequence(side) for side in (left, right)):
            return self._heap.concatenated(left, right)
        plain = all(self._machine.gradient_of(side) is CONSTANT for side in sides)
        return self._conditions.symbol(operator, key(left), key(right), plain=plain)

    def _number(self, operator: str, left: object, right: object) -> Value:
        numbers = isinstance(left, (int, float)) and isinstance(right, (int, float))
        try:
            if numbers and operator in NUMBERS:
                return Constant(NUMBERS[operator](left, right))
        except (ArithmeticError, ValueError):
            pass
        return self._conditions.unknown(plain=True)

    def _unary(self, node: ast.UnaryOp) -> Value:
        value = self.of(node.operand)
        if isinstance(node.op, ast.Not):
            return self._conditions.negation(self._conditions.truth(value))
        if isinstance(value, Tensor):
            return self._machine.computed([value])
        if isinstance(value, Constant) and isinstance(value.value, (int, float)):
            return Constant(-value.value if isinstance(node.op, ast.USub) else value.value)
        plain = self._machine.gradient_of(value) is CONSTANT
        return self._conditions.symbol(type(node.op).__name__, key(value), plain=plain)

    def _boolean(self, node: ast.BoolOp) -> Value:
        word = "and" if isinstance(node.op, ast.And) else "or"
        values: list[Value] = []
        conditions: list[Value] = []
        for each in node.values:
            values.append(self.of(each))
            conditions.append(self._conditions.truth(values[-1]))
            known = conditions[-1]
            if isinstance(known, Constant) and bool(known.value) != (word == "and"):
                break
        whole = self._conditions.combine(word, conditions)
        objects = any(isinstance(value, (Object, Tensor)) for value in values)
        return values[-1] if objects or isinstance(whole, Constant) else whole

    def _comparison(self, node: ast.Compare) -> Value:
        left, parts = self.of(node.left), list[Value]()
        for operator, each in zip(node.ops, node.comparators, strict=True):
            right = self.of(each)
            parts.append(self._conditions.compare(type(operator).__name__, left, right))
            left = right
        return self._conditions.combine("and", parts)

    def _choice(self, node: ast.IfExp) -> Value:
        condition = self._conditions.truth(self.of(node.test))
        if isinstance(condition, Constant):
            return self.of(node.body if condition.value else node.orelse)
        chosen: dict[bool, Value] = {}

        def take(side: bool, value: ast.expr) -> bool:
            chosen[side] = self.of(value)
            return False

        yes, no = (lambda: take(True, node.body)), (lambda: take(False, node.orelse))
        self._machine.branch(condition, yes, no)
        return self._conditions.join(condition, chosen[True], chosen[False])

    def _comprehension(self, node: Any, element: ast.expr) -> Value:
        outer = self._machine.frame
        frame = Frame(Scope(outer.scope), outer.home, outer.owner)
        frame.receiver, frame.path = outer.receiver, list(outer.path)
        whole = Object(Role.SEQUENCE)
        with self._machine.running_call(frame, node, node):
            for part in node.generators:
                self._machine.assign(part.target, self._heap.element(self.of(part.iter)))
                for test in part.ifs:
                    self.of(test)
            value = self.of(element)
        for each in leaves(value):
            if isinstance(each, Object):
                each.summary = True
        whole.fields["element"] = value
        return whole

    def _dict_comprehension(self, node: ast.DictComp) -> Value:
        whole = self._comprehension(node, node.value)
        made = Object(Role.DICT)
        made.fields = whole.fields if isinstance(whole, Object) else {}
        return made


def _is_sequence(value: Value) -> bool:
    if isinstance(value, Phi):
        return False
    return isinstance(value, Object) and value.role in (Role.SEQUENCE, Role.PARAMETERS)
