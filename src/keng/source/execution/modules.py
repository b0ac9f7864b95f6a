"""The modules of the project as values. Another file's name is evaluated when it is first asked for."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator
from typing import cast

from keng.source.execution.machine import BudgetError, Frame, Machine
from keng.source.execution.values import Constant, External, Namespace, Scope, Value
from keng.source.names import canonical
from keng.source.project.files import absolute, below
from keng.source.tree import Tree

BUILTINS = frozenset(dir(builtins))
MOST = 20
"""Files of the project that one execution reads."""


class Modules:
    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._namespaces: dict[Tree, Namespace] = {}
        self._stars: dict[Namespace, list[ast.ImportFrom]] = {}

    def of(self, tree: Tree) -> Namespace:
        if tree not in self._namespaces:
            made = self._namespaces[tree] = Namespace(tree)
            runs = tree is self._machine.tree
            made.scope.values["__name__"] = Constant("__main__" if runs else tree.module)
            if tree is not self._machine.tree:
                self._index(made, tree.root.body)
        return self._namespaces[tree]

    def _index(self, namespace: Namespace, body: Iterable[ast.stmt]) -> None:
        for statement in _at_top(body):
            if isinstance(statement, ast.ImportFrom) and statement.names[0].name == "*":
                self._stars.setdefault(namespace, []).append(statement)
            for name in _bound_by(statement):
                namespace.statements.setdefault(name, statement)

    def look_up(self, scope: Scope, name: str, home: Namespace) -> Value | None:
        """The value of a name as code in a scope of a module sees it; None where it has none."""
        at: Scope | None = scope
        while at is not None:
            if name in at.values:
                return cast(Value, at.values[name])
            at = at.up
        found = self.member(home, name)
        if found is None and name in BUILTINS:
            return External(f"builtins.{name}")
        return found

    def member(self, namespace: Namespace, name: str) -> Value | None:
        """The value of a name of a module."""
        if name in namespace.scope.values:
            return cast(Value, namespace.scope.values[name])
        if (statement := namespace.statements.pop(name, None)) is not None:
            self._run(namespace, statement)
            return cast("Value | None", namespace.scope.values.get(name))
        return self._starred(namespace, name)

    def _run(self, namespace: Namespace, statement: ast.stmt) -> None:
        """Runs a statement of another file for the name it binds; nothing it does is an event."""
        machine = self._machine
        mark, frame = machine.mark(), Frame(namespace.scope, namespace)
        with machine.on_course(), machine.running_call(frame, statement, statement):
            machine.execute([statement])
        machine.keep(mark)

    def _starred(self, namespace: Namespace, name: str) -> Value | None:
        for statement in self._stars.get(namespace, ()):
            module = self._file(self._absolute(statement, namespace.tree), namespace.tree)
            found = self.member(module, name) if module and module is not namespace else None
            if found is not None:
                return found
        return None

    def imported(self, statement: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, Value]]:
        """The names that an import binds, and their values."""
        here = self._machine.here
        if isinstance(statement, ast.Import):
            for alias in statement.names:
                dotted = alias.name if alias.asname else alias.name.partition(".")[0]
                module = self._file(dotted, here)
                yield alias.asname or dotted, module or External(canonical(dotted))
            return
        base = self._absolute(statement, here)
        for alias in statement.names:
            if alias.name == "*":
                self._stars.setdefault(self._machine.frame.home, []).append(statement)
            else:
                yield alias.asname or alias.name, self._from(base, alias.name, here)

    def _from(self, base: str, name: str, here: Tree) -> Value:
        module = self._file(base, here)
        if module is not None and (found := self.member(module, name)) is not None:
            return found
        inner = self._file(below(base, name), here)
        if inner is not None:
            return inner
        if module is not None:
            return self._machine.conditions.unknown(name)
        return External(canonical(f"{base}.{name}"))

    def submodule(self, package: Namespace, name: str) -> Value | None:
        return self._file(below(package.tree.module, name), package.tree)

    def _absolute(self, statement: ast.ImportFrom, tree: Tree) -> str:
        written = "." * statement.level + (statement.module or "")
        return absolute(written, tree.module, tree.path)

    def _file(self, dotted: str, importer: Tree) -> Namespace | None:
        file = self._machine.trees.files.file_of(dotted, importer.path)
        if file is None:
            return None
        tree = self._machine.trees.definer(file)
        if not isinstance(tree, Tree):
            return None
        if tree not in self._namespaces and len(self._namespaces) > MOST:
            raise BudgetError
        return self.of(tree)


def _at_top(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements at the top of a module, those under `if` and `try` as well."""
    for statement in body:
        yield statement
        if isinstance(statement, (ast.If, ast.Try)) and not _is_main(statement):
            yield from _at_top(statement.body)


def _is_main(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.If) and "__main__" in ast.dump(statement.test)


def _bound_by(statement: ast.stmt) -> Iterable[str]:
    match statement:
        case ast.Import() | ast.ImportFrom():
            return [a.asname or a.name.partition(".")[0] for a in statement.names if a.name != "*"]
        case ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
            return [statement.name]
        case ast.Assign(targets=targets):
            return [name for target in targets for name in _names_stored(target)]
        case ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
    return []


def _names_stored(target: ast.expr) -> set[str]:
    inside = (each for each in ast.walk(target) if isinstance(each, ast.Name))
    return {name.id for name in inside if isinstance(name.ctx, ast.Store)}
