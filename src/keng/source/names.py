"""A layer of Code: what a name is bound to, and what a dotted name stands for."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple, cast

from keng.source.files import absolute
from keng.source.index import FUNCTIONS, LOOPS, Function, Index
from keng.tables.torch_names import STARS

if TYPE_CHECKING:
    from keng.source.code import Code

COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
OPEN = frozenset((ast.Module, ast.Lambda, *COMPREHENSIONS))
"""Scopes that all below them stand in, arguments aside."""
SCOPES = (ast.Module, ast.ClassDef, *FUNCTIONS, ast.Lambda, *COMPREHENSIONS)
BUILTINS = frozenset(dir(builtins))

# Where torch defines a thing -> where it is public.
HOMES = (
    (re.compile(r"torch\.nn\.modules\.(?:\w+\.)?(?=[A-Z])"), "torch.nn."),
    (re.compile(r"torch\.optim\.(?!lr_scheduler)\w+\.(?=[A-Z])"), "torch.optim."),
    (
        re.compile(r"torch\.utils\.data\.(?:dataloader|dataset|distributed|sampler)\.(?=[A-Z])"),
        "torch.utils.data.",
    ),
    (
        re.compile(
            r"torch\.(?:autograd\.)?(?:grad_mode\.)?(?=(?:no_grad|enable_grad|inference_mode)$)"
        ),
        "torch.",
    ),
    (re.compile(r"torch\.(?:cuda\.amp|amp)\.(?:grad_scaler\.)?(?=GradScaler$)"), "torch.amp."),
)


class Binding(NamedTuple):
    """One place where a name gets a value. `how`: import, def, class, assign, augment, for, with,
    argument or other. `value` is the expression that the value comes from and `path` the position
    in it where it is unpacked (`a, (b, c) = value` binds c by (1, 1))."""

    name: str
    how: str
    node: ast.AST
    value: ast.expr | None = None
    path: tuple[int, ...] = ()
    dotted: str = ""


class Scope:
    __slots__ = ("bindings", "node", "outer", "stars")

    def __init__(self, node: ast.AST) -> None:
        self.node = node
        self.bindings: dict[str, list[Binding]] = {}
        self.stars: list[str] = []
        self.outer: dict[str, type] = {}  # names declared global or nonlocal


class Definition(NamedTuple):
    """A class or function of this project."""

    code: Code
    node: ast.ClassDef | Function

    @property
    def name(self) -> str:
        return self.node.name


class Names(Index):
    @cached_property
    def _resolved(self) -> dict[ast.AST, str]:
        return {}

    @cached_property
    def _empty_scopes(self) -> dict[ast.AST, Scope]:
        return {node: Scope(node) for node in self.of(*SCOPES)}

    @cached_property
    def scopes(self) -> dict[ast.AST, Scope]:
        """Every scope of the file, by the node that opens it."""
        scopes = self._empty_scopes
        declarations: list[ast.Global | ast.Nonlocal] = [
            *self.of(ast.Global),
            *self.of(ast.Nonlocal),
        ]
        for declaration in declarations:
            for name in declaration.names:
                self.scope_of(declaration).outer[name] = type(declaration)
        for binding in self._bindings():
            self._home(binding).bindings.setdefault(binding.name, []).append(binding)
        for scope in scopes.values():
            for found in scope.bindings.values():
                if len(found) > 1:
                    found.sort(key=lambda b: self.position(b.node))
        return scopes

    def scope_of(self, node: ast.AST) -> Scope:
        """The scope that a node stands in. A default, decorator or base class of a definition stands
        outside it."""
        return self._scope_at.get(node) or self._empty_scopes[self.tree]

    @cached_property
    def _scope_at(self) -> dict[ast.AST, Scope]:
        opened, parent = self._empty_scopes, self.parent
        inside = {
            node: scope
            for definition, scope in opened.items()
            if isinstance(definition, (ast.ClassDef, *FUNCTIONS))
            for node in definition.body
        }
        found: dict[ast.AST, Scope] = {self.tree: opened[self.tree]}
        for node in islice(self._order, 1, None):
            above = parent[node]
            if node in inside:
                found[node] = inside[node]
            elif type(node) is ast.arg:
                found[node] = opened[parent[above]]
            elif above in opened and type(above) in OPEN and type(node) is not ast.arguments:
                found[node] = opened[above]
            else:
                found[node] = found[above]
        return found

    def _home(self, binding: Binding) -> Scope:
        """The scope that a binding belongs to."""
        scope = self.scope_of(binding.node)
        if isinstance(scope.node, COMPREHENSIONS) and isinstance(
            self.parent[binding.node], ast.NamedExpr
        ):
            scope = self._not_comprehension(scope)
        declared = scope.outer.get(binding.name)
        if declared is ast.Global:
            return self._empty_scopes[self.tree]
        if declared is ast.Nonlocal:
            function = self.function_around(scope.node)
            return self._empty_scopes[function] if function else scope
        return scope

    def _not_comprehension(self, scope: Scope) -> Scope:
        while isinstance(scope.node, COMPREHENSIONS):
            scope = self.scope_of(scope.node)
        return scope

    def _bindings(self) -> Iterator[Binding]:
        yield from self._imports
        functions: list[Function] = [*self.of(ast.FunctionDef), *self.of(ast.AsyncFunctionDef)]
        for definition in functions:
            yield Binding(definition.name, "def", definition)
        for class_ in self.of(ast.ClassDef):
            yield Binding(class_.name, "class", class_)
        for argument in self.of(ast.arg):
            yield Binding(argument.arg, "argument", argument)
        for name in self.of(ast.Name):
            if not isinstance(name.ctx, ast.Load):
                yield self._stored(name)
        for handler in self.of(ast.ExceptHandler):
            if handler.name:
                yield Binding(handler.name, "other", handler)

    @cached_property
    def _imports(self) -> list[Binding]:
        """All that the file imports, anywhere."""
        nodes: list[ast.Import | ast.ImportFrom] = [*self.of(ast.Import), *self.of(ast.ImportFrom)]
        return [binding for node in nodes for binding in self._imported(node)]

    def _imported(self, node: ast.Import | ast.ImportFrom) -> Iterator[Binding]:
        if isinstance(node, ast.Import):
            for alias in node.names:
                dotted = alias.name if alias.asname else alias.name.partition(".")[0]
                yield Binding(alias.asname or dotted, "import", node, dotted=dotted)
            return
        base = self.absolute(node)
        for alias in node.names:
            if alias.name == "*":
                self.scope_of(node).stars.append(base)
            else:
                yield Binding(
                    alias.asname or alias.name, "import", node, dotted=f"{base}.{alias.name}"
                )

    def absolute(self, node: ast.ImportFrom) -> str:
        """The module that a from-import names, relative dots resolved."""
        return absolute("." * node.level + (node.module or ""), self.module, self.path)

    def _stored(self, name: ast.Name) -> Binding:
        """The binding that a stored name makes: climb to the statement, noting unpacking positions."""
        path: list[int] = []
        child: ast.AST = name
        for above in self.ancestors(name):
            if isinstance(above, (ast.Tuple, ast.List)):
                path.insert(0, above.elts.index(cast(ast.expr, child)))
            elif isinstance(above, ast.Starred):
                return Binding(name.id, "other", name)
            else:
                return self._bound(name, above, tuple(path))
            child = above
        return Binding(name.id, "other", name)

    def _bound(self, name: ast.Name, by: ast.AST, path: tuple[int, ...]) -> Binding:
        match by:
            case ast.Assign() | ast.NamedExpr() | ast.AnnAssign():
                return Binding(name.id, "assign", name, by.value, path)
            case ast.AugAssign():
                return Binding(name.id, "augment", name, by.value, path)
            case ast.For() | ast.AsyncFor() | ast.comprehension():
                return Binding(name.id, "for", name, by.iter, path)
            case ast.withitem():
                return Binding(name.id, "with", name, by.context_expr, path)
        return Binding(name.id, "other", name)

    def bindings(self, name: ast.Name) -> list[Binding]:
        """All bindings of a name in the scope that it belongs to, in source order."""
        scope = self.lookup(name)
        return scope.bindings.get(name.id, []) if scope else []

    def lookup(self, name: ast.Name) -> Scope | None:
        """The scope whose binding a name means."""
        scope = self.scopes[self.scope_of(name).node]
        first = True
        while True:
            hidden = isinstance(scope.node, ast.ClassDef) and not first
            if name.id in scope.bindings and not hidden:
                return scope
            if isinstance(scope.node, ast.Module):
                return None
            scope, first = self.scope_of(scope.node), False

    def reaching(self, name: ast.Name) -> list[Binding]:
        """The bindings that may give a name its value where it stands: the nearest one before it
        that is always passed, those on branches since, and those of a loop's last round."""
        scope = self.lookup(name)
        found = scope.bindings[name.id] if scope else []
        if scope is None or len(found) < 2:
            return found
        if scope.node is not self.scope_of(name).node:
            return self._found_by_function(found, name, scope.node)
        here = self.position(name)
        before = [b for b in found if self._effect(b) < here]
        kept: list[Binding] = []
        for binding in reversed(before):
            if self._exclusive(binding.node, name):
                continue
            kept.append(binding)
            if binding.how != "augment" and self._always_before(binding.node, name):
                break
        else:
            kept += self._last_round(found, name, here)
        return kept or found

    def assigned(self, node: ast.AST | None) -> ast.expr | None:
        """The value that a name was given as a whole by the one assignment that reaches it."""
        found = self.reaching(node) if isinstance(node, ast.Name) else []
        plain = len(found) == 1 and found[0].how == "assign" and not found[0].path
        return found[0].value if plain else None

    def _found_by_function(
        self, found: list[Binding], name: ast.Name, scope: ast.AST
    ) -> list[Binding]:
        """The bindings that a function may find of a name outside of it: it cannot run before it is
        defined, so that what was always bound anew by then is gone."""
        around = [a for a in self.ancestors(name) if isinstance(a, FUNCTIONS)]
        defined = [a for a in around if a is not scope and self.within(a, scope)]
        if not defined:
            return found
        here = self.position(defined[-1])
        before = [b for b in found if b.how != "augment" and self._effect(b) < here]
        gone = [b for b in before if self._always_before(b.node, defined[-1])]
        return found[found.index(gone[-1]) :] if gone else found

    def _effect(self, binding: Binding) -> tuple[int, int]:
        """Where a binding takes effect: after the whole statement for an assignment."""
        by = self.statement(binding.node) if isinstance(binding.node, ast.Name) else binding.node
        if isinstance(by, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
            return (by.end_lineno or 0, by.end_col_offset or 0)
        return self.position(binding.node)

    def _always_before(self, node: ast.AST, use: ast.AST) -> bool:
        """Whether a binding is passed on every way to `use`: its block holds `use` too."""
        if isinstance(node, ast.arg):
            return True
        statement = self.statement(node)
        if isinstance(statement, (*LOOPS, ast.With, ast.AsyncWith)) and self.within(use, statement):
            return self._arm(use, statement) == "body"
        block = self.parent.get(statement)
        while isinstance(block, (ast.With, ast.AsyncWith)) and not self._swallows(block):
            block = self.parent.get(block)
        if block is None or not self.within(use, block):
            return False
        has_arms = isinstance(block, (ast.If, ast.Try, *LOOPS))
        return not has_arms or self._arm(node, block) == self._arm(use, block)

    def _swallows(self, block: ast.With | ast.AsyncWith) -> bool:
        made = [getattr(item.context_expr, "func", None) for item in block.items]
        return "contextlib.suppress" in map(self.resolve, made)

    def _arm(self, node: ast.AST, block: ast.AST) -> str:
        """The field of a compound statement under which a node stands."""
        child = node
        for above in self.ancestors(node):
            if above is block:
                break
            child = above
        for name in ("body", "orelse", "handlers", "finalbody"):
            if child in getattr(block, name, ()):
                return name
        return "test"

    def beside(self, child: ast.AST, above: ast.AST) -> tuple[list[ast.stmt], list[ast.stmt]]:
        """The statements before and behind a statement in the block of its parent."""
        for name in ("body", "orelse", "finalbody"):
            block = getattr(above, name, None)
            if isinstance(block, list) and child in block:
                at = block.index(child)
                return block[:at], block[at + 1 :]
        return [], []

    def _exclusive(self, one: ast.AST, other: ast.AST) -> bool:
        """Whether two nodes stand in different arms of one if, so that only one of them runs."""
        for above in self.ancestors(one):
            if isinstance(above, ast.If) and self.within(other, above):
                return {self._arm(one, above), self._arm(other, above)} == {"body", "orelse"}
        return False

    def _last_round(
        self, found: list[Binding], name: ast.Name, here: tuple[int, int]
    ) -> list[Binding]:
        loops = [a for a in self.ancestors(name) if isinstance(a, LOOPS)]
        return [
            b
            for b in found
            if self._effect(b) >= here and any(self.within(b.node, loop) for loop in loops)
        ]

    def resolve(self, node: ast.AST | None) -> str:
        """The dotted name that an expression stands for ("torch.nn.functional.dropout", or
        "train.Net.forward" for the project's own), or "" where that is not known."""
        if not isinstance(node, (ast.Attribute, ast.Name)):
            return ""
        if node not in self._resolved:
            self._resolved[node] = ""  # what a name that stands for itself resolves to
            self._resolved[node] = self._resolve(node)
        return self._resolved[node]

    def _resolve(self, node: ast.Attribute | ast.Name) -> str:
        if isinstance(node, ast.Name):
            return self._resolve_name(node)
        base = self.resolve(node.value)
        return canonical(f"{base}.{node.attr}") if base else ""

    def _resolve_name(self, name: ast.Name) -> str:
        scope = self.lookup(name)
        if scope is None:
            return self._starred(name.id) or (f"builtins.{name.id}" if name.id in BUILTINS else "")
        dotted = {self._dotted(binding) for binding in scope.bindings[name.id]}
        return dotted.pop() if len(dotted) == 1 else ""

    def _dotted(self, binding: Binding) -> str:
        if binding.how == "import":
            return self.project.public(canonical(binding.dotted), self.me)
        if binding.how in ("def", "class"):
            return self.qualified(cast("ast.ClassDef | Function", binding.node))
        alias = binding.value
        if (
            binding.how == "assign"
            and not binding.path
            and isinstance(alias, (ast.Attribute, ast.Name))
        ):
            root = alias
            while isinstance(root, ast.Attribute):
                root = cast("ast.Attribute | ast.Name", root.value)
            if isinstance(root, ast.Name) and root.id != binding.name:
                return self.resolve(alias)
        return ""

    def _starred(self, name: str) -> str:
        for module in self.scopes[self.tree].stars:
            if name in STARS.get(module, ()):
                return canonical(f"{module}.{name}")
            if there := self.project.name_of(f"{module}.{name}", self.me):
                return there
        return ""

    def qualified(self, node: ast.ClassDef | Function) -> str:
        """module.Class.method of a definition in this file."""
        above = [a.name for a in self.ancestors(node) if isinstance(a, (ast.ClassDef, *FUNCTIONS))]
        return ".".join([self.module, *reversed(above), node.name])


def canonical(dotted: str) -> str:
    """The public name of a thing of torch, whichever of its addresses was used."""
    if dotted.startswith("torch"):
        for pattern, home in HOMES:
            dotted = pattern.sub(home, dotted, count=1)
    return dotted
