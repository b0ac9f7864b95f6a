"""A layer of Code: names of torch and its company that are outdated, and what to write in their place."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection, Iterator
from functools import cache
from typing import NamedTuple

from keng.model import Edit, Fix, Safety
from keng.source.edits import Edits
from keng.source.values import Kind

PATTERN = re.compile(r"([\w.]+)(?:\((.*)\))?")
COMPARES = re.compile(r"version|hasattr|TORCH|is_torch|_available|PT\d", re.IGNORECASE)
"""How a test names that asks which torch is there."""


class NewCall(NamedTuple):
    """How a call is written now: a dotted name, what comes before and after the arguments, what those
    given by position are called ("" where they stay so), and whether more of them may follow."""

    dotted: str
    head: str
    names: tuple[str, ...]
    tail: str
    more: bool


def new_call(pattern: str) -> NewCall:
    """Reads `name(head, _, x=_, ..., tail)`; see keng.tables.removed_symbols."""
    match = PATTERN.fullmatch(pattern)
    assert match is not None, f"{pattern} is no call"
    if match[2] is None:
        return NewCall(match[1], "", (), "", True)
    if match[2] == "[...]":
        return NewCall(match[1], "[", ("",) * 9, "]", False)
    items = match[2].split(", ")
    taken = [n for n, item in enumerate(items) if item.endswith("_") or item == "..."]
    names = [items[n].removesuffix("_").removesuffix("=") for n in taken if items[n] != "..."]
    head, tail = items[: taken[0]], items[taken[-1] + 1 :]
    return NewCall(match[1], ", ".join(head), tuple(names), ", ".join(tail), "..." in items)


@cache
def last_parts(names: frozenset[str]) -> frozenset[str]:
    """Of dotted names."""
    return frozenset(name.rpartition(".")[2] for name in names)


class Outdated(Edits):
    def written(self, node: ast.AST) -> str:
        """The dotted name that an expression spells through what is imported, not led to the place
        where torch has it today."""
        if isinstance(node, ast.Attribute):
            base = self.written(node.value)
            return f"{base}.{node.attr}" if base else ""
        if not isinstance(node, ast.Name):
            return ""
        dotted = {b.dotted if b.how == "import" else "" for b in self.bindings(node)}
        return dotted.pop() if len(dotted) == 1 else ""

    def uses_of_names(self, names: frozenset[str]) -> Iterator[tuple[ast.expr, str]]:
        """The places that read one of these dotted names, and methods `torch.Tensor.NAME` of tensors."""
        lasts = last_parts(names)
        for last, attributes in self.attributes_by_name.items():
            for attribute in attributes if last in lasts else ():
                if dotted := self._one_of(attribute, names):
                    yield attribute, dotted
        imported = {binding.name for binding in self._imports if binding.dotted in names}
        for name in self.of(ast.Name) if imported else ():
            if name.id in imported and (dotted := self._one_of(name, names)):
                yield name, dotted

    def _one_of(self, node: ast.Attribute | ast.Name, names: Collection[str]) -> str:
        if not isinstance(node.ctx, ast.Load):
            return ""
        dotted = self.written(node)
        called = isinstance(node, ast.Attribute) and isinstance(self.parent[node], ast.Call)
        method = f"torch.Tensor.{node.attr}" if isinstance(node, ast.Attribute) else ""
        if called and not dotted and method in names and isinstance(node, ast.Attribute):
            dotted = method if self.kind_of(node.value) is Kind.TENSOR else ""
        return dotted if dotted in names else ""

    def belongs_to(self, dotted: str) -> bool:
        """Whether this is a file of the package that a name belongs to."""
        return self.module.partition(".")[0] == dotted.partition(".")[0]

    def only_named(self, node: ast.expr) -> bool:
        """Whether a function is spoken of and not used: an entry of a table, or what another is
        compared with."""
        above = self.parent[node]
        while isinstance(above, (ast.Tuple, ast.List)):
            node, above = above, self.parent[above]
        listed = isinstance(node, (ast.Tuple, ast.List)) or isinstance(above, (ast.Set, ast.Dict))
        return listed or isinstance(above, ast.Compare)

    def calls_below(self, home: str) -> Iterator[tuple[ast.Call, str]]:
        """Calls of what lies below a module, "torchvision.models.", and the rest of its name; with "."
        where a function is looked up by a name that is not written out."""
        package = home.partition(".")[0].encode()
        for call in self.of(ast.Call) if self.project.says(package, self.path) else ():
            dotted = self.resolve(call.func)
            if dotted.startswith(home):
                yield call, dotted.removeprefix(home)
            elif not dotted and self.resolve(self.chosen_from(call.func)) == home.rstrip("."):
                yield call, "."

    def unused_imports(
        self, names: Collection[str], modules: Collection[str]
    ) -> Iterator[tuple[ast.alias, str]]:
        """From-imports of one of these names that the file never reads, or from one of these modules."""
        for statement in self.of(ast.ImportFrom):
            module = self.absolute(statement)
            for alias in statement.names:
                dotted = f"{module}.{alias.name}"
                old = dotted if dotted in names else module if module in modules else ""
                named = alias.asname or alias.name
                if old and (old == module or named not in self._names_by_id):
                    yield alias, old

    def imports_of(self, names: Collection[str]) -> Iterator[tuple[ast.alias, str]]:
        """The statements `import NAME` of one of these modules."""
        for statement in self.of(ast.Import):
            for alias in statement.names:
                if alias.name in names:
                    yield alias, alias.name

    def guarded(self, node: ast.AST) -> bool:
        """Whether a place is reached only after asking which torch is there: under `try`, in the arm of
        an `if` on a version, or behind one that returns."""
        child = node
        for above in self.ancestors(node):
            if isinstance(above, (ast.Try, ast.ExceptHandler)):
                return True
            if isinstance(above, (ast.If, ast.IfExp)) and self._compares(above.test):
                return True
            before, behind = self.beside(child, above)
            if isinstance(child, ast.Assign) and any(self._sets_anew(s, child) for s in behind):
                return True
            if any(map(self._holds_back, before)):
                return True
            child = above
        return False

    def _holds_back(self, statement: ast.stmt) -> bool:
        """Whether a statement lets only some versions of torch pass."""
        match statement:
            case ast.Assert():
                return self._compares(statement.test)
            case ast.If(body=[*_, ast.Return() | ast.Raise()]):
                return self._compares(statement.test)
        return False

    def _sets_anew(self, statement: ast.stmt, assigned: ast.Assign) -> bool:
        """Whether an `if` that asks for a version gives another value to what was just assigned."""
        if not isinstance(statement, ast.If) or not self._compares(statement.test):
            return False
        text = ast.unparse(assigned.targets[0])
        inner = [t for s in self.below(statement, ast.Assign) for t in s.targets]
        return text in map(ast.unparse, inner)

    def _compares(self, test: ast.expr) -> bool:
        return COMPARES.search(ast.unparse(test)) is not None

    def rewritten(
        self, node: ast.expr, new: Callable[[str], str], title: str, safety: Safety
    ) -> Fix | None:
        """A fix that writes a name, and the arguments of its calls, as `new` says for its dotted name
        (""  where nothing can be written): at this place, or, where it was imported from a module, in
        the import and at every place that reads what it imports."""
        if isinstance(node, ast.Name):
            edits = self._import_rewritten(node, new)
        else:
            edits = self._place_rewritten(node, new_call(new(self.written(node))))
        return Fix(title, tuple(edits), safety) if edits else None

    def _place_rewritten(self, node: ast.expr, to: NewCall) -> list[Edit]:
        name = self.spell(to.dotted, node)
        arguments = self._arguments_rewritten(node, to)
        return [self.replace(node, name), *arguments] if name and arguments is not None else []

    def _import_rewritten(self, node: ast.Name, new: Callable[[str], str]) -> list[Edit]:
        """Rewrites the from-import that a name comes from, if all that it imports has one new home."""
        statement = self.bindings(node)[0].node
        if not isinstance(statement, ast.ImportFrom) or len(self.bindings(node)) != 1:
            return []
        module = self.absolute(statement)
        calls = {alias: new(f"{module}.{alias.name}") for alias in statement.names}
        if not all(calls.values()):
            calls = {alias: text for alias, text in calls.items() if text}
            if any(new_call(text).dotted.rpartition(".")[0] != module for text in calls.values()):
                return []
        to = {alias: new_call(text) for alias, text in calls.items()}
        homes = {call.dotted.rpartition(".")[0] for call in to.values()}
        edits = self._module_replaced(statement, homes.pop()) if len(homes) == 1 else []
        for alias, call in to.items() if edits else ():
            edits += self._alias_replaced(alias, call)
            for use in self._reads(alias, statement):
                arguments = self._arguments_rewritten(use, call)
                if arguments is None:
                    return []
                edits += arguments
        return edits

    def _reads(self, alias: ast.alias, by: ast.ImportFrom) -> list[ast.Name]:
        """The places that read what an import binds."""
        named = alias.asname or alias.name
        names = [n for n in self.of(ast.Name) if n.id == named]
        return [n for n in names if [b.node for b in self.bindings(n)] == [by]]

    def _module_replaced(self, statement: ast.ImportFrom, home: str) -> list[Edit]:
        start, _ = self.bounds(statement)
        written = (statement.module or "").encode()
        at = self.data.index(written, start)
        return [Edit(at, at + len(written), home)]

    def _alias_replaced(self, alias: ast.alias, to: NewCall) -> list[Edit]:
        last = to.dotted.rpartition(".")[2]
        if last == alias.name:
            return []
        return [self.replace(alias, f"{last} as {alias.asname or alias.name}")]

    def _arguments_rewritten(self, node: ast.expr, to: NewCall) -> list[Edit] | None:
        """The edits to the arguments of a call of `node`; None where they do not fit, or where it is
        not called at all and would have to be."""
        call = self.parent[node]
        if not isinstance(call, ast.Call) or call.func is not node:
            decorates = node in getattr(call, "decorator_list", ())
            if to.head or to.names or (to.tail and not decorates):
                return None
            return [self.append(node, f"({to.tail})")] if to.tail else []
        more = len(call.args) > len(to.names) or any(k.arg not in to.names for k in call.keywords)
        if (more and not to.more) or any(isinstance(a, ast.Starred) for a in call.args):
            return None
        return self._arguments_named(call, to)

    def _arguments_named(self, call: ast.Call, to: NewCall) -> list[Edit]:
        given = bool(call.args or call.keywords)
        start, end = self.bounds(call.func)[1], self.bounds(call)[1] - 1
        opening = self.data.index(b"(", start) + 1
        lead = f"{to.head}, " if to.head and to.head != "[" and given else to.head
        names = [f"{name}=" if name else "" for name in to.names[: len(call.args)]]
        starts = [self.bounds(value)[0] for value in call.args]
        firsts = [(at, text) for at, text in zip(starts, names, strict=False) if text]
        if lead and firsts and firsts[0][0] == starts[0]:
            firsts[0] = (starts[0], lead + names[0])
        elif lead:
            firsts.insert(0, (opening, lead))
        edits = [Edit(at, at, text) for at, text in firsts]
        if to.tail:
            lead = ", " if given and to.tail != "]" else ""
            stripped = len(self.data[:end].rstrip())
            if lead and self.data[:stripped].endswith(b","):
                lead = " "
            edits.append(Edit(stripped, stripped, f"{lead}{to.tail}"))
        return edits
