"""Classes that are registered by a decorator and built by name."""

from __future__ import annotations

import ast
import re

from keng.source.names import Names, Scope
from keng.source.project.trees import Trees
from keng.source.tree import Definition, Tree

BUILDS = re.compile(r"build|create|make")


class Registries:
    def __init__(self, tree: Tree, trees: Trees) -> None:
        self.tree = tree
        self.trees = trees
        self.names = trees.ask(Names, tree)

    def of(self, tree: Tree) -> Registries:
        """The same subject of another file."""
        return self if tree is self.tree else self.trees.ask(Registries, tree)

    def registry_entries(self, function: ast.expr) -> list[Definition]:
        """The classes of which one is made by `REGISTRY[name](...)`, `REGISTRY.get(name)(...)` or
        `REGISTRY.build(...)`, where they are registered by decorators."""
        match function:
            case (
                ast.Subscript(value=ast.Name() as registry)
                | ast.Call(func=ast.Attribute(attr="get", value=ast.Name() as registry))
            ):
                return self.registered(self._dotted_of(registry))
            case ast.Attribute(attr=name, value=ast.Name() as registry) if BUILDS.match(name):
                return self.registered(self._dotted_of(registry))
        return []

    def registry_of(self, decorator: ast.expr) -> str:
        """The dotted name of the registry that a decorator registers with."""
        named = decorator.func if isinstance(decorator, ast.Call) else decorator
        match named:
            case ast.Attribute(attr=name, value=ast.Name() as registry) if name.startswith(
                "regist"
            ):
                return self._dotted_of(registry)
        return ""

    def _dotted_of(self, name: ast.Name) -> str:
        """The dotted name of a value of this or another file."""
        found = self.names.bindings(name)
        here = len(found) == 1 and found[0].how == "assign" and self.names.lookup(name) is self._top
        return f"{self.tree.module}.{name.id}" if here else self.names.resolve(name)

    @property
    def _top(self) -> Scope:
        return self.names.scopes[self.tree.root]

    def registered(self, registry: str) -> list[Definition]:
        """The classes under `@registry.register(...)`, of a registry by its dotted name; none where there
        are many files of them."""
        known = self.trees.registered
        if registry not in known:
            known[registry] = [
                Definition(tree, node)
                for tree in self.trees.registering(registry)
                for node in tree.nodes(ast.ClassDef)
                if registry in map(self.of(tree).registry_of, node.decorator_list)
            ]
        return known[registry]
