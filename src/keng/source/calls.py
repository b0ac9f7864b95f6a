"""Calls by the name of what is called, and their arguments."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterator
from functools import cached_property, lru_cache

from keng.source.names import Names
from keng.source.project.trees import Trees
from keng.source.tree import Function, Tree


class Calls:
    def __init__(self, tree: Tree, trees: Trees) -> None:
        self.tree = tree
        self.trees = trees
        self.names = trees.ask(Names, tree)

    def of(self, tree: Tree) -> Calls:
        """The same subject of another file."""
        return self if tree is self.tree else self.trees.ask(Calls, tree)

    @cached_property
    def calls_by_name(self) -> dict[str, list[ast.Call]]:
        """Calls by the last part of what is called: `f(...)` and `a.f(...)` under "f"."""
        found: dict[str, list[ast.Call]] = {}
        for call in self.tree.nodes(ast.Call):
            if isinstance(call.func, ast.Attribute):
                found.setdefault(call.func.attr, []).append(call)
            elif isinstance(call.func, ast.Name):
                found.setdefault(call.func.id, []).append(call)
        return found

    def bound_argument(self, call: ast.Call, function: Function, name: str) -> ast.expr | None:
        """The expression that a call gives to a parameter of a function of the project."""
        for keyword in call.keywords:
            if keyword.arg == name:
                return keyword.value
        names = [a.arg for a in self.tree.parameters(function)]
        bound = isinstance(call.func, ast.Attribute) or bool(names and names[0] == "self")
        if names and names[0] in ("self", "cls") and bound:
            names = names[1:]
        if name in names and not any(isinstance(a, ast.Starred) for a in call.args):
            position = names.index(name)
            return call.args[position] if position < len(call.args) else None
        return None

    def calls_to(self, *dotted: str) -> Iterator[ast.Call]:
        """Calls of functions or classes by their dotted names."""
        written, aliases = self.calls_by_name, self._aliases
        for name, last in with_last_parts(dotted):
            if last in written or last in aliases:
                for call in self.calls_named(last):
                    if self.names.resolve(call.func) == name:
                        yield call

    def calls_named(self, last: str) -> list[ast.Call]:
        """Calls of what may have a dotted name with this last part."""
        named = self.calls_by_name.get(last, [])
        others = self._aliases.get(last)
        if others is None:
            return named
        return [*named, *(c for other in others for c in self.calls_by_name.get(other, ()))]

    def calls_with(self, wanted: Callable[[str], bool]) -> Iterator[ast.Call]:
        """Calls of what may have a dotted name whose last part is one of those wanted."""
        for written, calls in self.calls_by_name.items():
            if wanted(written) or any(map(wanted, self._stands_for.get(written, ()))):
                yield from calls

    @cached_property
    def _stands_for(self) -> dict[str, list[str]]:
        """The last parts of names by what else the file calls them."""
        found: dict[str, list[str]] = {}
        for last, names in self._aliases.items():
            for written in names:
                found.setdefault(written, []).append(last)
        return found

    def may_be_named(self, node: ast.expr, lasts: Collection[str]) -> bool:
        """Whether an expression may have a dotted name with one of these last parts."""
        written = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
        return written in lasts or any(last in lasts for last in self._stands_for.get(written, ()))

    @cached_property
    def _aliases(self) -> dict[str, set[str]]:
        """Last part of a name -> what else the file calls it: `import ... as`, `CE = nn.CrossEntropyLoss`."""
        found: dict[str, set[str]] = {}
        for imports in self.tree.nodes(ast.ImportFrom):
            for alias in imports.names:
                if alias.asname:
                    found.setdefault(alias.name, set()).add(alias.asname)
        for assigned in self.tree.nodes(ast.Assign):
            target, value = assigned.targets[0], assigned.value
            if type(target) is not ast.Name or len(assigned.targets) > 1:
                continue
            if isinstance(value, (ast.Attribute, ast.Name)):
                last = value.attr if isinstance(value, ast.Attribute) else value.id
                found.setdefault(last, set()).add(target.id)
        return {last: names - {last} for last, names in found.items()}

    def method_calls(self, *names: str) -> Iterator[ast.Call]:
        """Calls `anything.NAME(...)`."""
        for name in names:
            yield from (
                c for c in self.calls_by_name.get(name, ()) if isinstance(c.func, ast.Attribute)
            )

    def argument(self, call: ast.Call, name: str, position: int | None = None) -> ast.expr | None:
        """An argument by keyword or position. A `*args` or `**kwargs` may hold it: then that is given."""
        for keyword in call.keywords:
            if keyword.arg == name:
                return keyword.value
        spread = [k.value for k in call.keywords if k.arg is None]
        for n, given in enumerate(call.args):
            if isinstance(given, ast.Starred) or n == position:
                return given
        return spread[0] if spread else None

    def attribute_name(self, function: ast.expr) -> str:
        """The last part of what is called, a torch function under its own name."""
        if isinstance(function, ast.Attribute):
            return function.attr
        dotted = self.names.resolve(function)
        if dotted.startswith("torch."):
            return dotted.rpartition(".")[2]
        return getattr(function, "id", "")

    def discarded_method_calls(self) -> Iterator[tuple[ast.Call, ast.expr, str]]:
        """Method calls that stand as statements, their results dropped: call, receiver, method."""
        for call in self.discarded:
            if isinstance(call.func, ast.Attribute):
                yield call, call.func.value, call.func.attr

    @cached_property
    def discarded(self) -> list[ast.Call]:
        """Calls that stand as statements. What a notebook prints is not dropped."""
        return [
            statement.value
            for statement in self.tree.nodes(ast.Expr)
            if isinstance(statement.value, ast.Call) and not self._is_displayed(statement)
        ]

    def _is_displayed(self, statement: ast.Expr) -> bool:
        line, cells = statement.end_lineno or statement.lineno, self.tree.source.cells
        return cells is not None and cells.displays(line, self.tree.source.line(line))


@lru_cache(maxsize=1_000)
def with_last_parts(dotted: tuple[str, ...]) -> list[tuple[str, str]]:
    """Dotted names, each with its last part."""
    return [(name, name.rpartition(".")[2]) for name in dotted]
