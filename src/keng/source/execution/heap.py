"""Attributes, items and elements of heap objects and of unknown values."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from keng.source.execution.conditions import key
from keng.source.execution.events import Did
from keng.source.execution.machine import Machine
from keng.source.execution.modules import Modules
from keng.source.execution.values import (
    NONE,
    Bound,
    Class,
    Constant,
    External,
    Function,
    Method,
    Namespace,
    Object,
    Phi,
    Role,
    Symbol,
    Tensor,
    Value,
    leaves,
    sequence,
)

SIZES = frozenset({"shape", "dtype", "device", "ndim", "requires_grad", "is_leaf", "is_cuda"})
TURNED = frozenset({"T", "mT", "H", "real", "imag"})
CALLED = frozenset({"property", "cached_property"})
DATA = ("loader", "dataset", "batches", "data", "iter")
"""Parts of names of unknown values that a loop takes batches from."""


class Heap:
    def __init__(self, machine: Machine, modules: Modules) -> None:
        self._machine = machine
        self._modules = modules
        self._conditions = machine.conditions

    # Items

    def item(self, whole: Value, at: Value) -> Value:
        if isinstance(whole, Phi):
            yes, no = self.item(whole.yes, at), self.item(whole.no, at)
            return self._conditions.join(whole.condition, yes, no)
        if isinstance(whole, Tensor):
            return self._machine.computed([whole])
        if isinstance(whole, Symbol):
            known = whole.fields.get(("item", key(at)))
            name = at.value if isinstance(at, Constant) and type(at.value) is str else whole.name
            how = ("item", whole.number, key(at))
            return known or self._conditions.symbol(*how, name=name, plain=whole.plain)
        if isinstance(whole, Object):
            return self._item_of(whole, at)
        return self._conditions.unknown()

    def _item_of(self, whole: Object, at: Value) -> Value:
        constant = at.value if isinstance(at, Constant) else None
        items = whole.items if whole.role is Role.SEQUENCE and not whole.fields else None
        if items is not None and type(constant) is int and -len(items) <= constant < len(items):
            return items[constant]
        found = whole.fields.get(("item", constant)) if isinstance(at, Constant) else None
        if whole.role is Role.DICT and found is not None:
            return _as_value(found)
        if whole.role is Role.PARAMETERS:
            return Tensor(self._machine.gradient_of(whole))
        if whole.role is Role.MODULE:
            return self.part(whole, f"[{constant if isinstance(at, Constant) else ''}]")
        return self.element(whole)

    def store(self, whole: Value, at: Value, value: Value) -> None:
        """`whole[at] = value`."""
        for each in leaves(whole):
            if isinstance(each, Object) and isinstance(at, Constant) and each.role is Role.DICT:
                self._machine.write(each.fields, ("item", at.value), value)
            elif isinstance(each, Object) and each.role in (Role.SEQUENCE, Role.DICT):
                self.grow(each, value)
            elif isinstance(each, Symbol):
                self._machine.write(each.fields, ("item", key(at)), value)

    def grow(self, whole: Object, value: Value) -> None:
        """A sequence or dict gets an item at an unknown place."""
        loops = self._machine.loops
        if loops and whole.number < loops[-1].birth:
            self._stand_for_several(value)
        before = whole.fields.get("element")
        merged = self._conditions.join(self._conditions.test(), before, value)
        self._machine.write(whole.fields, "element", merged)

    def _stand_for_several(self, value: Value) -> None:
        """What each iteration adds is another object."""
        for each in leaves(value):
            if isinstance(each, Object) and each.number > self._machine.loops[-1].birth:
                each.summary = True

    def concatenated(self, left: Value, right: Value) -> Value:
        made = sequence(None)
        for side in (left, right):
            if isinstance(side, Object):
                self.grow(made, side if side.role is Role.PARAMETERS else self.element(side))
        return made

    def element(self, whole: Value) -> Value:
        """What a loop over a value gives in one of its iterations."""
        if isinstance(whole, Phi):
            yes, no = self.element(whole.yes), self.element(whole.no)
            return self._conditions.join(whole.condition, yes, no)
        if isinstance(whole, Object):
            return self._element_of(whole)
        if isinstance(whole, Tensor):
            return self._machine.computed([whole])
        if isinstance(whole, Symbol) and is_loader(whole):
            return Tensor()
        plain = isinstance(whole, Symbol) and whole.plain
        return self._conditions.unknown(getattr(whole, "name", ""), plain)

    def _element_of(self, whole: Object) -> Value:
        if whole.role is Role.LOADER:
            return Tensor()
        if whole.role is Role.ENUMERATION:
            inner = self.element(whole.fields["of"])
            return sequence((self._conditions.unknown("index", plain=True), inner))
        if whole.role is Role.ZIP:
            return sequence(tuple(self.element(each) for each in whole.items or ()))
        if whole.role is Role.PARAMETERS:
            parameter = Tensor(self._machine.gradient_of(whole))
            named = "named" in whole.fields
            return (
                sequence((self._conditions.unknown("name", True), parameter))
                if named
                else parameter
            )
        if whole.role is Role.MODULE:
            return self.part(whole, "[]")
        return self._any_item(whole)

    def _any_item(self, whole: Object) -> Value:
        items = [*(whole.items or ())]
        if "element" in whole.fields:
            items.append(whole.fields["element"])
        if whole.role is Role.DICT:
            items += [v for k, v in whole.fields.items() if isinstance(k, tuple)]
        if not items:
            return self._conditions.unknown()
        found = items[0]
        for each in items[1:]:
            found = self._conditions.join(self._conditions.test(), found, each)
        return found

    # Attributes

    def attribute(self, of: Value, name: str) -> Value:
        if isinstance(of, Phi):
            yes, no = self.attribute(of.yes, name), self.attribute(of.no, name)
            return self._conditions.join(of.condition, yes, no)
        if isinstance(of, External):
            return External(f"{of.dotted}.{name}")
        if isinstance(of, Namespace):
            found = self._modules.member(of, name) or self._modules.submodule(of, name)
            return found or self._conditions.unknown(name)
        if isinstance(of, Class):
            return self.look_up(of, name) or Method(of, name)
        if isinstance(of, Object):
            return self._of_object(of, name)
        if isinstance(of, Symbol):
            if (known := of.fields.get(f".{name}")) is not None:
                return _as_value(known)
            return self._conditions.symbol("attribute", of.number, name, name=name, plain=of.plain)
        if isinstance(of, Tensor):
            return self._of_tensor(of, name)
        return Method(of, name)

    def _of_tensor(self, of: Tensor, name: str) -> Value:
        if name in SIZES:
            return self._conditions.symbol("attribute", of.number, name, name=name)
        return of if name in TURNED else Method(of, name)

    def _of_object(self, of: Object, name: str) -> Value:
        if (known := of.fields.get(f".{name}")) is not None:
            return _as_value(known)
        if of.role is Role.PARENT:
            return self._of_parent(of, name)
        if of.class_ is not None and (found := self.look_up(of.class_, name)) is not None:
            return self._of_class(of, found)
        if of.role is Role.MODULE and name == "module":
            return of
        if of.role is Role.LOADER and name in ("sampler", "batch_sampler"):
            return _as_value(of.fields.get("sampler", NONE))
        if of.role is Role.OPTIMIZER and name == "param_groups":
            held = Object(Role.PARAMETERS)
            held.of = of.of
            group = Object(Role.DICT)
            group.fields["element"] = held
            return sequence(None, group)
        if of.role is Role.INSTANCE:
            return self._conditions.symbol("attribute", of.number, name, name=name, plain=False)
        return Method(of, name)

    def _of_class(self, of: Object, found: Value) -> Value:
        if not isinstance(found, Function):
            return found
        marks = {_last_name(d) for d in getattr(found.node, "decorator_list", ())}
        if marks & CALLED:
            return self._machine.call(Bound(found, of), [], {}, found.node)
        if "staticmethod" in marks:
            return found
        return Bound(found, of.class_ if "classmethod" in marks and of.class_ else of)

    def _of_parent(self, of: Object, name: str) -> Value:
        receiver = of.fields["receiver"]
        for base in of.class_.bases if of.class_ is not None else ():
            found = self.look_up(base, name) if isinstance(base, Class) else None
            if isinstance(found, Function):
                return Bound(found, receiver)
        return Method(receiver, name)

    def look_up(self, owner: Class, name: str, depth: int = 8) -> Value | None:
        """An attribute of a class or of its bases in the project."""
        if name in owner.fields:
            return _as_value(owner.fields[name])
        for base in owner.bases if depth else ():
            if isinstance(base, Class):
                found = self.look_up(base, name, depth - 1)
                if found is not None:
                    return found
        return None

    def set_attribute(self, of: Value, name: str, value: Value, node: ast.AST) -> None:
        for each in leaves(of):
            if isinstance(each, (Object, Symbol)):
                self.replaced(each.fields.get(f".{name}"), value, node)
                self._machine.write(each.fields, f".{name}", value)
            elif isinstance(each, Namespace):
                self._machine.write(each.scope.values, name, value)
            if isinstance(each, Object) and each.role is Role.MODULE:
                for part in leaves(value):
                    self._machine.adopt(each, part)

    def part(self, module: Object, name: str) -> Object:
        """A part of a module that is not known otherwise."""
        field = f".{name}"
        if field not in module.fields:
            made = Object(Role.MODULE)
            made.node, made.tree, made.given = module.node, module.tree, True
            made.summary = name == "[]"
            self._machine.adopt(module, made)
            module.fields[field] = made
        found: Object = module.fields[field]
        return found

    def loaders(self, whole: Value) -> list[Value]:
        """The loaders that a loop goes through: behind `enumerate`, `zip` and the like too."""
        found: list[Value] = []
        for each in leaves(whole):
            if isinstance(each, Object) and each.role is Role.LOADER:
                found.append(each)
            elif isinstance(each, Object) and each.role is Role.ENUMERATION:
                found += self.loaders(each.fields["of"])
            elif isinstance(each, Object) and each.role is Role.ZIP:
                found += self._loaders_of(each.items or ())
            elif isinstance(each, Symbol) and is_loader(each):
                found.append(each)
        return found

    def _loaders_of(self, several: Iterable[Value]) -> list[Value]:
        return [loader for each in several for loader in self.loaders(each)]

    def replaced(self, before: Value | None, after: Value, node: ast.AST) -> None:
        """Records that a name or attribute that held a module now holds another one."""
        one = before if isinstance(before, Object) and before.role is Role.MODULE else None
        new = after if isinstance(after, Object) and after.role is Role.MODULE else None
        if one is not None and new is not None and one is not new and not new.summary:
            self._machine.record(Did.REPLACED, [one, new], node)


def is_loader(value: Symbol) -> bool:
    """Whether an unknown value gives batches, by its name."""
    return any(word in value.name.lower() for word in DATA)


def _as_value(value: object) -> Value:
    assert isinstance(value, Value), "fields hold values"
    return value


def _last_name(decorator: ast.expr) -> str:
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    return called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
