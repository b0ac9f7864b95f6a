"""Classes of the project: their bases, subclasses, methods and the attributes that methods set."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property
from typing import cast

from keng.source.names import Names
from keng.source.project.trees import Trees
from keng.source.tree import FUNCTIONS, Definition, Function, Tree, member

Given = list[tuple[ast.expr | None, tuple[int, ...]]]
"""What an attribute is given: values, and the position of the attribute's own in each."""


class Classes:
    def __init__(self, tree: Tree, trees: Trees) -> None:
        self.tree = tree
        self.trees = trees
        self.names = trees.ask(Names, tree)

    def of(self, tree: Tree) -> Classes:
        """The same subject of another file."""
        return self if tree is self.tree else self.trees.ask(Classes, tree)

    def self_class(self, node: ast.AST) -> ast.ClassDef | None:
        """The class whose instance a `self` is."""
        if type(node) is not ast.Name:
            return None
        name, owner = self._method_around(self.tree.enclosing_function(node))
        return owner if name == node.id else None

    def _method_around(self, function: Function | None) -> tuple[str, ast.ClassDef | None]:
        """The first parameter of the method that a function is or is nested in, and its class."""
        if function is None:
            return "", None
        if function not in self._methods:
            parameters = self.tree.parameters(function)
            if not self.is_method(function):
                found = self._method_around(self.tree.enclosing_function(function))
            elif parameters:
                found = parameters[0].arg, cast(ast.ClassDef, self.tree.parent[function])
            else:
                found = "", None
            self._methods[function] = found
        return self._methods[function]

    @cached_property
    def _methods(self) -> dict[Function, tuple[str, ast.ClassDef | None]]:
        return {}

    def constructs_parent(self, owner: ast.AST) -> list[ast.Call] | None:
        """The calls of `super().__init__` in the constructor of a class; None where that of its parent
        gets whatever this one is given."""
        init = member(owner, ["__init__"])
        if not isinstance(init, FUNCTIONS):
            return None
        calls = [
            c
            for c in self.tree.descendants(init, ast.Call)
            if self._is_of_super(c.func, "__init__")
        ]
        return None if any(_hands_on(call, init) for call in calls) else calls

    def _is_of_super(self, function: ast.expr, name: str) -> bool:
        match function:
            case ast.Attribute(value=ast.Call(func=above), attr=attr) if attr == name:
                return self.names.resolve(above) == "builtins.super"
        return False

    def is_method(self, function: Function) -> bool:
        static = any(
            self.names.resolve(d) == "builtins.staticmethod" for d in function.decorator_list
        )
        return isinstance(self.tree.parent.get(function), ast.ClassDef) and not static

    _attributes: dict[ast.AST, dict[str, Given]] | None = None

    def attributes(self, owner: ast.AST) -> dict[str, Given]:
        """What the methods of a class put on `self`, by name."""
        if self._attributes is None:
            self._attributes = {}
            for node in self.tree.nodes(ast.Attribute):
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
        for above in self.tree.ancestors(target):
            if isinstance(above, (ast.Tuple, ast.List)):
                path = (above.elts.index(cast(ast.expr, child)), *path)
            elif isinstance(above, (ast.Assign, ast.AnnAssign)):
                return above.value, path
            else:
                break
            child = above
        return None, ()

    def named(self, node: ast.AST) -> Definition | None:
        """The class or function of the project that an expression names, by itself or through modules, or
        through `self`; what the value of an object leads to is asked of `Types.definition`."""
        if node not in self._named:
            self._named[node] = None  # a class that inherits from itself
            self._named[node] = self._found(node)
        return self._named[node]

    @cached_property
    def _named(self) -> dict[ast.AST, Definition | None]:
        return {}

    def _found(self, node: ast.AST) -> Definition | None:
        if isinstance(node, ast.Name):
            found = self.names.bindings(node)
            if len(found) == 1 and found[0].how in ("def", "class"):
                return Definition(self.tree, cast("ast.ClassDef | Function", found[0].node))
            if len(found) == 1 and found[0].how == "import":
                there = self.names.follow(found[0].dotted)
                return there.definition if there else None
            if (
                not found
                and (dotted := self.names.resolve(node))
                and not dotted.startswith("builtins.")
            ):
                there = self.names.follow(dotted)
                return there.definition if there else None
            return None
        if isinstance(node, ast.Attribute) and self.trees.files.may_define(
            node.attr, self.tree.path
        ):
            owner = self.self_class(node.value)
            if owner is not None:
                return self.resolve_method(owner, node.attr)
            dotted = self.names.resolve(node)
            if dotted and not dotted.startswith(("torch.", "numpy.", "builtins.")):
                there = self.names.follow(dotted)
                if there and there.definition:
                    return there.definition
        return None

    def bases(self, owner: ast.ClassDef) -> Iterator[Definition]:
        """The base classes that the project defines."""
        for base in owner.bases:
            definition = self.named(base)
            if (
                definition is not None
                and isinstance(definition.node, ast.ClassDef)
                and definition.node is not owner
            ):
                yield definition

    def method(self, definition: Definition, name: str) -> Definition | None:
        """A method of a class of the project, looked for in its bases too."""
        for owner in self.of(definition.tree).mro(definition.node):
            node = member(owner.node, [name])
            if node is not None:
                return Definition(owner.tree, node)
        return None

    def mro(self, owner: ast.AST) -> list[Definition]:
        """A class and its bases in the project, in the order in which they are asked for a method."""
        if owner not in self._mros:
            self._mros[owner] = []  # a class that inherits from itself
            above = [
                each
                for base in (self.bases(owner) if isinstance(owner, ast.ClassDef) else ())
                for each in self.of(base.tree).mro(base.node)
            ]
            last = {each.node: each for each in reversed(above)}
            self._mros[owner] = [Definition(self.tree, cast(ast.ClassDef, owner))]
            self._mros[owner] += reversed(last.values())
        return self._mros[owner]

    @cached_property
    def _mros(self) -> dict[ast.AST, list[Definition]]:
        return {}

    def subclasses(self, owner: ast.AST, depth: int = 8) -> list[Definition]:
        """The classes of the project that inherit from one, over others too."""
        near = self.direct_subclasses(owner) if depth else []
        return [
            *near,
            *(far for heir in near for far in self.of(heir.tree).subclasses(heir.node, depth - 1)),
        ]

    def direct_subclasses(self, owner: ast.AST) -> list[Definition]:
        """The classes of the project that inherit from one directly; none where there are many."""
        if owner not in self._subclasses:
            self._subclasses[owner] = list(self._inheriting(cast(ast.ClassDef, owner)))
        return self._subclasses[owner]

    @cached_property
    def _subclasses(self) -> dict[ast.AST, list[Definition]]:
        return {}

    def _inheriting(self, owner: ast.ClassDef) -> Iterator[Definition]:
        files = self.trees.files_of_subclasses(owner.name)
        for file in dict.fromkeys([self.tree.path, *files]):
            if isinstance(tree := self.trees.read(file), Tree):
                there = self.of(tree)
                classes = [(each, there.bases(each)) for each in tree.nodes(ast.ClassDef)]
                heirs = [each for each, bases in classes if owner in {b.node for b in bases}]
                yield from (Definition(tree, each) for each in heirs)

    def sets_attribute(self, owner: ast.AST, name: str) -> bool:
        """Whether a class or one of its bases gives its objects an attribute."""
        return any(name in self.of(each.tree).attributes(each.node) for each in self.mro(owner))

    def resolve_method(self, owner: ast.ClassDef, name: str) -> Definition | None:
        """The method that a call on `self` runs. What the class does not have, being mixed with others
        or leaving it open, is the one that its heirs have."""
        own = self.method(Definition(self.tree, owner), name)
        if own is None and name in self.attributes(owner):
            return None
        if own is not None and not self.of(own.tree).is_abstract_method(own.node):
            return own
        found = [self.method(heir, name) for heir in self.subclasses(owner)]
        filled = {
            m.node: m
            for m in found
            if m is not None and not self.of(m.tree).is_abstract_method(m.node)
        }
        return filled.popitem()[1] if len(filled) == 1 else own

    def is_abstract_method(self, method: ast.ClassDef | Function) -> bool:
        """Whether a method does nothing, or only raises, so that others define what it does."""
        body = [s for s in method.body if not _says_nothing(s)]
        return not body or isinstance(body[-1], ast.Raise)


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
