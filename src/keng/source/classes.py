"""A layer of Code: classes, methods and functions of the project, and who calls them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, cast

from keng.source.index import FUNCTIONS, Function
from keng.source.names import Definition, Names
from keng.source.values import Kind, class_kind

if TYPE_CHECKING:
    from keng.source.code import Code

INITS = frozenset({"__init__", "__setstate__"})

Given = tuple[ast.expr | None, tuple[int, ...]]
"""An expression that an attribute is given, and the position in it where it is unpacked."""


class Classes(Names):
    def callers(self, function: Function) -> Iterator[tuple[Code, ast.Call]]:
        """The calls of a function of this file, wherever in the project they are, those of this file
        first: who asks for one after the other may spare the others."""
        return self.project.calls_of(Definition(self.me, function))

    def given_by_callers(self, argument: ast.AST) -> Iterator[tuple[Code, ast.expr | None]]:
        """What the calls of its function give to an argument, each with the file of the call; None where one
        leaves it out."""
        function = self.function_around(argument)
        if function is not None and isinstance(argument, ast.arg):
            for code, call in self.callers(function):
                yield code, code.passed(call, function, argument.arg)

    def is_called_widely(self, function: Function) -> bool:
        """Whether `callers` has but a part of them."""
        return self.project.is_called_widely(Definition(self.me, function))

    @cached_property
    def calls_by_name(self) -> dict[str, list[ast.Call]]:
        """Calls by the last part of what is called: `f(...)` and `a.f(...)` under "f"."""
        found: dict[str, list[ast.Call]] = {}
        for call in self.of(ast.Call):
            if isinstance(call.func, ast.Attribute):
                found.setdefault(call.func.attr, []).append(call)
            elif isinstance(call.func, ast.Name):
                found.setdefault(call.func.id, []).append(call)
        return found

    @cached_property
    def attributes_by_name(self) -> dict[str, list[ast.Attribute]]:
        found: dict[str, list[ast.Attribute]] = {}
        for attribute in self.of(ast.Attribute):
            found.setdefault(attribute.attr, []).append(attribute)
        return found

    def passed(self, call: ast.Call, function: Function, name: str) -> ast.expr | None:
        """The expression that a call gives to a parameter of a function of the project."""
        for keyword in call.keywords:
            if keyword.arg == name:
                return keyword.value
        names = [a.arg for a in self.arguments(function)]
        bound = isinstance(call.func, ast.Attribute) or bool(names and names[0] == "self")
        if names and names[0] in ("self", "cls") and bound:
            names = names[1:]
        if name in names and not any(isinstance(a, ast.Starred) for a in call.args):
            position = names.index(name)
            return call.args[position] if position < len(call.args) else None
        return None

    def arguments(self, function: Function) -> list[ast.arg]:
        """The parameters of a function that may be given by position."""
        return [*function.args.posonlyargs, *function.args.args]

    def returns(self, function: ast.AST) -> list[ast.expr]:
        """What a function may return."""
        own = [r for r in self.below(function, ast.Return) if self.function_around(r) is function]
        return [r.value for r in own if r.value is not None]

    def silent_forward(self) -> tuple[str, ast.stmt] | None:
        """The one module of the file whose forward returns nothing, and the last statement of that."""
        found: list[tuple[str, ast.stmt]] = []
        for owner in self.of(ast.ClassDef):
            forward = self.member(owner, ["forward"])
            if isinstance(forward, FUNCTIONS) and self.kind_of_class(owner) is Kind.MODULE:
                last = forward.body[-1]
                value: ast.AST = last.value if isinstance(last, ast.Expr) else last
                computes = isinstance(value, (ast.Assign, ast.AugAssign, ast.Call))
                if computes and not self.returns(forward):
                    found.append((owner.name, last))
        return found[0] if len(found) == 1 else None

    def self_class(self, node: ast.AST) -> ast.ClassDef | None:
        """The class whose instance a `self` is."""
        if not isinstance(node, ast.Name):
            return None
        function = self.function_around(node)
        while function is not None:
            if self.is_method(function):
                arguments = self.arguments(function)
                if arguments and arguments[0].arg == node.id:
                    return cast(ast.ClassDef, self.parent[function])
                return None
            function = self.function_around(function)
        return None

    def calls_parents_init(self, owner: ast.ClassDef) -> list[ast.Call]:
        """The calls of a constructor of its parents in the methods of a class: `super().__init__()`,
        `Base.__init__(self)`, or of another function with all that this class is."""
        return [
            call
            for call in self.below(owner, ast.Call)
            if (isinstance(call.func, ast.Attribute) and call.func.attr in INITS)
            or (
                any(isinstance(a, ast.Name) and self.self_class(a) is owner for a in call.args)
                and self.resolve(call.func) != "builtins.super"
            )
        ]

    def constructs_parent(self, owner: ast.AST) -> list[ast.Call] | None:
        """The calls of `super().__init__` in the constructor of a class; None where that of its parent
        gets whatever this one is given."""
        init = self.member(owner, ["__init__"])
        if not isinstance(init, FUNCTIONS):
            return None
        calls = [c for c in self.below(init, ast.Call) if self._is_of_super(c.func, "__init__")]
        return None if any(_hands_on(call, init) for call in calls) else calls

    def _is_of_super(self, function: ast.expr, name: str) -> bool:
        match function:
            case ast.Attribute(value=ast.Call(func=above), attr=attr) if attr == name:
                return self.resolve(above) == "builtins.super"
        return False

    def always_raises(self, function: Function) -> bool:
        """Whether a function only says that it is not to be called."""
        return isinstance(function.body[-1], ast.Raise)

    def is_method(self, function: Function) -> bool:
        static = any(self.resolve(d) == "builtins.staticmethod" for d in function.decorator_list)
        return isinstance(self.parent.get(function), ast.ClassDef) and not static

    _attributes: dict[ast.AST, dict[str, list[tuple[ast.expr | None, tuple[int, ...]]]]] | None = (
        None
    )

    def attributes(
        self, owner: ast.AST
    ) -> dict[str, list[tuple[ast.expr | None, tuple[int, ...]]]]:
        """What the methods of a class put on `self`: name -> (value, position in it)."""
        if self._attributes is None:
            self._attributes = {}
            for node in self.of(ast.Attribute):
                if (
                    isinstance(node.ctx, ast.Store)
                    and (there := self.self_class(node.value)) is not None
                ):
                    value, path = self._assigned(node)
                    self._attributes.setdefault(there, {}).setdefault(node.attr, []).append(
                        (value, path)
                    )
        return self._attributes.get(owner, {})

    def _assigned(self, target: ast.expr) -> tuple[ast.expr | None, tuple[int, ...]]:
        path: tuple[int, ...] = ()
        child: ast.AST = target
        for above in self.ancestors(target):
            if isinstance(above, (ast.Tuple, ast.List)):
                path = (above.elts.index(cast(ast.expr, child)), *path)
            elif isinstance(above, (ast.Assign, ast.AnnAssign)):
                return above.value, path
            else:
                break
            child = above
        return None, ()

    def bases(self, owner: ast.ClassDef) -> Iterator[Definition]:
        """The base classes that the project defines."""
        for base in owner.bases:
            definition = self.definition(base)
            if (
                definition is not None
                and isinstance(definition.node, ast.ClassDef)
                and definition.node is not owner
            ):
                yield definition

    def kind_of_class(self, owner: ast.ClassDef) -> Kind:
        for base in owner.bases:
            kind = class_kind(self.resolve(base))
            if kind is not Kind.UNKNOWN:
                return kind
        for definition in self.bases(owner):
            kind = definition.code._kind_of_class_once(cast(ast.ClassDef, definition.node))
            if kind is not Kind.UNKNOWN:
                return kind
        return Kind.UNKNOWN

    @cached_property
    def _classes(self) -> dict[ast.AST, Kind]:
        return {}

    def _kind_of_class_once(self, owner: ast.ClassDef) -> Kind:
        if owner not in self._classes:
            self._classes[owner] = Kind.UNKNOWN  # a class that inherits from itself
            self._classes[owner] = self.kind_of_class(owner)
        return self._classes[owner]

    def member(self, node: ast.AST, names: list[str]) -> ast.ClassDef | Function | None:
        """A definition nested in another, by its path."""
        for name in names:
            inner = [d for d in getattr(node, "body", []) if getattr(d, "name", None) == name]
            if len(inner) != 1 or not isinstance(inner[0], (ast.ClassDef, *FUNCTIONS)):
                return None
            node = inner[0]
        return cast("ast.ClassDef | Function", node)

    def method(self, definition: Definition, name: str) -> Definition | None:
        """A method of a class of the project, looked for in its bases too."""
        for owner in definition.code.lineage(definition.node):
            node = owner.code.member(owner.node, [name])
            if node is not None:
                return Definition(owner.code, node)
        return None

    def lineage(self, owner: ast.AST) -> list[Definition]:
        """A class and its bases in the project, in the order in which they are asked for a method."""
        if owner not in self._lineages:
            self._lineages[owner] = []  # a class that inherits from itself
            above = [
                each
                for base in (self.bases(owner) if isinstance(owner, ast.ClassDef) else ())
                for each in base.code.lineage(base.node)
            ]
            last = {each.node: each for each in reversed(above)}
            self._lineages[owner] = [Definition(self.me, cast(ast.ClassDef, owner))]
            self._lineages[owner] += reversed(last.values())
        return self._lineages[owner]

    @cached_property
    def _lineages(self) -> dict[ast.AST, list[Definition]]:
        return {}

    def heirs(self, owner: ast.AST, depth: int = 8) -> list[Definition]:
        """The classes of the project that inherit from one, over others too."""
        near = self.project.heirs(Definition(self.me, cast(ast.ClassDef, owner))) if depth else []
        return [*near, *(far for heir in near for far in heir.code.heirs(heir.node, depth - 1))]

    def puts_on_self(self, owner: ast.AST, name: str) -> bool:
        """Whether a class or one of its bases gives its objects an attribute."""
        return any(name in each.code.attributes(each.node) for each in self.lineage(owner))

    def method_run(self, owner: ast.ClassDef, name: str) -> Definition | None:
        """The method that a call on `self` runs. What the class does not have, being mixed with others
        or leaving it open, is the one that its heirs have."""
        own = self.method(Definition(self.me, owner), name)
        if own is None and name in self.attributes(owner):
            return None
        if own is not None and not own.code.leaves_open(own.node):
            return own
        found = [self.method(heir, name) for heir in self.heirs(owner)]
        filled = {m.node: m for m in found if m is not None and not m.code.leaves_open(m.node)}
        return filled.popitem()[1] if len(filled) == 1 else own

    def leaves_open(self, method: ast.ClassDef | Function) -> bool:
        """Whether a method does nothing, or only raises, so that others define what it does."""
        body = [s for s in method.body if not _says_nothing(s)]
        return not body or isinstance(body[-1], ast.Raise)

    @cached_property
    def _definitions(self) -> dict[ast.AST, Definition | None]:
        return {}

    def definition(self, node: ast.AST) -> Definition | None:
        """The class or function of the project that an expression names."""
        if node not in self._definitions:
            self._definitions[node] = None
            self._definitions[node] = self._defined(node)
        return self._definitions[node]

    def _defined(self, node: ast.AST) -> Definition | None:
        if isinstance(node, ast.Name):
            found = self.bindings(node)
            if len(found) == 1 and found[0].how in ("def", "class"):
                return Definition(self.me, cast("ast.ClassDef | Function", found[0].node))
            if len(found) == 1 and found[0].how == "import":
                there = self.project.follow(found[0].dotted, self.me)
                return there.definition if there else None
            if not found and (dotted := self.resolve(node)) and not dotted.startswith("builtins."):
                there = self.project.follow(dotted, self.me)
                return there.definition if there else None
            return None
        if isinstance(node, ast.Attribute):
            owner = self.self_class(node.value)
            if owner is not None:
                return self.method_run(owner, node.attr)
            dotted = self.resolve(node)
            if dotted and not dotted.startswith(("torch.", "numpy.", "builtins.")):
                there = self.project.follow(dotted, self.me)
                if there and there.definition:
                    return there.definition
            instance = self.me.value_of(node.value).definition
            return self.method(instance, node.attr) if instance else None
        return None


def _hands_on(call: ast.Call, init: Function) -> bool:
    """Whether a call gives all arguments of the function that it stands in: `(*args, **kwargs)`."""
    names = [each.arg for each in (init.args.vararg, init.args.kwarg) if each is not None]
    stars = [a.value for a in call.args if isinstance(a, ast.Starred)]
    stars += [keyword.value for keyword in call.keywords if keyword.arg is None]
    return bool(names) and names == [ast.unparse(s) for s in stars] and len(init.args.args) == 1


def _says_nothing(statement: ast.stmt) -> bool:
    """`pass`, `...` or a text."""
    constant = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return constant or isinstance(statement, ast.Pass)
