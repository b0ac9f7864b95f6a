"""Scopes, the bindings of names, and the dotted names that expressions stand for, across files."""

from __future__ import annotations

import ast
import builtins
import re
import sys
from collections.abc import Iterator
from functools import cached_property, lru_cache
from operator import attrgetter, itemgetter
from typing import NamedTuple, cast

from keng.source.project.files import absolute
from keng.source.project.trees import Trees
from keng.source.tree import FUNCTIONS, Definition, Function, Tree, member
from keng.tables.torch_names import STARS

COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
OPEN = frozenset((ast.Module, ast.Lambda, *COMPREHENSIONS))
"""Scopes that all below them stand in, arguments aside."""
DEFINITIONS = frozenset((ast.ClassDef, *FUNCTIONS))
"""Scopes in which only the statements of their body stand."""
SCOPES = (ast.Module, ast.ClassDef, *FUNCTIONS, ast.Lambda, *COMPREHENSIONS)
UNPACKING = (ast.Tuple, ast.List, ast.Starred)
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


PLACE = attrgetter("node.lineno", "node.col_offset")
"""Where a binding is."""
new_binding = tuple.__new__
"""Makes a binding of all its fields, without a frame of Python: a file has thousands."""


class Scope:
    __slots__ = ("bindings", "node", "outer", "stars")

    def __init__(self, node: ast.AST) -> None:
        self.node = node
        self.bindings: dict[str, list[Binding]] = {}
        self.stars: list[str] = []
        self.outer: dict[str, type] = {}  # names declared global or nonlocal


DEEPEST = 8
"""Re-exports followed before giving up."""
FRAMEWORK_LOOPS = (
    "pytorch_lightning.",
    "lightning.",
    "transformers.Trainer.",
    "transformers.Seq2SeqTrainer.",
    "trl.",
    "fastai.",
    "ignite.",
    "catalyst.",
    "composer.",
    "skorch.",
)
"""Packages whose loops clear gradients, switch modes or disable gradients by themselves."""


class Found(NamedTuple):
    """Where a dotted name of the project leads: its public name, and the definition if it is one."""

    dotted: str
    definition: Definition | None = None


class Names:
    def __init__(self, tree: Tree, trees: Trees) -> None:
        self.tree = tree
        self.trees = trees

    def of(self, tree: Tree) -> Names:
        """The same subject of another file."""
        return self if tree is self.tree else self.trees.ask(Names, tree)

    @cached_property
    def _resolved(self) -> dict[ast.AST, str]:
        return {}

    @cached_property
    def _empty_scopes(self) -> dict[ast.AST, Scope]:
        opening: list[ast.AST] = self.tree.nodes(*SCOPES)
        return {node: Scope(node) for node in opening}

    @cached_property
    def scopes(self) -> dict[ast.AST, Scope]:
        """Every scope of the file, by the node that opens it."""
        scopes = self._empty_scopes
        declarations: list[ast.Global | ast.Nonlocal] = [
            *self.tree.nodes(ast.Global),
            *self.tree.nodes(ast.Nonlocal),
        ]
        for declaration in declarations:
            for name in declaration.names:
                self.scope_of(declaration).outer[name] = type(declaration)
        for binding in self._bindings():
            self._home(binding).bindings.setdefault(binding.name, []).append(binding)
        self._store_names()
        for scope in scopes.values():
            for found in scope.bindings.values():
                if len(found) > 1:
                    found.sort(key=PLACE)
        return scopes

    def _store_names(self) -> None:
        """Adds the bindings of names that are stored or deleted: most of all bindings of a file."""
        scope_at, contexts = self._scope_at, self.tree.name_contexts
        for name, context in zip(self.tree.nodes(ast.Name), contexts, strict=True):
            if context is ast.Load:
                continue
            binding, scope = self._stored(name), scope_at[name]
            if scope.outer or type(scope.node) in COMPREHENSIONS:
                scope = self._home(binding)
            scope.bindings.setdefault(name.id, []).append(binding)

    def scope_of(self, node: ast.AST) -> Scope:
        """The scope that a node is in. A default, decorator or base class of a definition stands
        outside it."""
        known, opened, parent = self._scope_at, self._empty_scopes, self.tree.parent
        passed: list[ast.AST] = []
        at = node
        while (found := known.get(at)) is None:
            passed.append(at)
            above = parent.get(at)
            if above is None:
                found = opened[self.tree.root]
            elif type(above) in OPEN:
                found = None if type(at) is ast.arguments else opened[above]
            elif type(above) in DEFINITIONS:
                found = opened[above] if isinstance(at, ast.stmt) else None
            elif type(at) is ast.arg:
                found = opened[parent[above]]
            if found is not None:
                break
            at = cast(ast.AST, above)
        for each in passed:
            known[each] = found
        return found

    @cached_property
    def _scope_at(self) -> dict[ast.AST, Scope]:
        """The scopes of all names; those of other nodes are added when they are asked for."""
        found: dict[ast.AST, Scope] = {}
        around = [(sys.maxsize, self._empty_scopes[self.tree.root])]
        ranges = sorted(self._ranges(), key=itemgetter(0), reverse=True)
        for name, number in zip(*self.tree.numbered(ast.Name), strict=True):
            while ranges and ranges[-1][0] <= number:
                _, last, scope = ranges.pop()
                around.append((last, scope))
            while around[-1][0] < number:
                around.pop()
            found[name] = around[-1][1]
        return found

    def _ranges(self) -> Iterator[tuple[int, int, Scope]]:
        """Of each scope but the module's, the numbers of the first and last node in it."""
        range_of = self.tree.range_of
        for node, scope in self._empty_scopes.items():
            first, last = range_of(node)
            if isinstance(node, ast.Lambda):
                first = range_of(node.args)[1]
            elif isinstance(node, (ast.ClassDef, *FUNCTIONS)):
                body = [range_of(each) for each in node.body]
                first = next((first for first, last in body if first), 0) - 1
                last = max(last for _, last in body)
            if not isinstance(node, ast.Module):
                yield first + 1, last, scope
        for argument in self.tree.nodes(ast.arg):
            if argument.annotation is not None:
                function = self.tree.parent[self.tree.parent[argument]]
                yield *range_of(argument), self._empty_scopes[function]

    def _home(self, binding: Binding) -> Scope:
        """The scope that a binding belongs to."""
        scope = self.scope_of(binding.node)
        if not scope.outer and type(scope.node) not in COMPREHENSIONS:
            return scope
        if isinstance(scope.node, COMPREHENSIONS) and isinstance(
            self.tree.parent[binding.node], ast.NamedExpr
        ):
            scope = self._not_comprehension(scope)
        declared = scope.outer.get(binding.name)
        if declared is ast.Global:
            return self._empty_scopes[self.tree.root]
        if declared is ast.Nonlocal:
            function = self.tree.enclosing_function(scope.node)
            return self._empty_scopes[function] if function else scope
        return scope

    def _not_comprehension(self, scope: Scope) -> Scope:
        while isinstance(scope.node, COMPREHENSIONS):
            scope = self.scope_of(scope.node)
        return scope

    def _bindings(self) -> Iterator[Binding]:
        """The bindings that no `ast.Name` makes."""
        yield from self.import_bindings
        functions: list[Function] = [
            *self.tree.nodes(ast.FunctionDef),
            *self.tree.nodes(ast.AsyncFunctionDef),
        ]
        for definition in functions:
            yield Binding(definition.name, "def", definition)
        for class_ in self.tree.nodes(ast.ClassDef):
            yield Binding(class_.name, "class", class_)
        for argument in self.tree.nodes(ast.arg):
            yield Binding(argument.arg, "argument", argument)
        for handler in self.tree.nodes(ast.ExceptHandler):
            if handler.name:
                yield Binding(handler.name, "other", handler)
        captures: list[ast.MatchAs | ast.MatchStar] = [
            *self.tree.nodes(ast.MatchAs),
            *self.tree.nodes(ast.MatchStar),
        ]
        for capture in captures:
            if capture.name:
                yield Binding(capture.name, "other", capture)
        for mapping in self.tree.nodes(ast.MatchMapping):
            if mapping.rest:
                yield Binding(mapping.rest, "other", mapping)

    @cached_property
    def import_bindings(self) -> list[Binding]:
        """All that the file imports, anywhere."""
        nodes: list[ast.Import | ast.ImportFrom] = [
            *self.tree.nodes(ast.Import),
            *self.tree.nodes(ast.ImportFrom),
        ]
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
        return absolute("." * node.level + (node.module or ""), self.tree.module, self.tree.path)

    def _stored(self, name: ast.Name) -> Binding:
        """The binding that a stored name makes: climb to the statement, noting unpacking positions."""
        by = self.tree.parent[name]
        if type(by) not in UNPACKING:
            return self._bound(name, by, ())
        path: list[int] = []
        child: ast.AST = name
        for above in self.tree.ancestors(name):
            if isinstance(above, (ast.Tuple, ast.List)):
                path.insert(0, above.elts.index(cast(ast.expr, child)))
            elif isinstance(above, ast.Starred):
                return Binding(name.id, "other", name)
            else:
                return self._bound(name, above, tuple(path))
            child = above
        return Binding(name.id, "other", name)

    def _bound(self, name: ast.Name, by: ast.AST, path: tuple[int, ...]) -> Binding:
        if type(by) is ast.Assign:  # most are so
            return new_binding(Binding, (name.id, "assign", name, by.value, path, ""))
        match by:
            case ast.NamedExpr() | ast.AnnAssign():
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
        _, known = self.scopes, self._scope_at
        scope = nearest = known.get(name) or self.scope_of(name)
        while name.id not in scope.bindings or (
            type(scope.node) is ast.ClassDef and scope is not nearest
        ):
            if type(scope.node) is ast.Module:
                return None
            scope = known.get(scope.node) or self.scope_of(scope.node)
        return scope

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
            return self.canonical_name(canonical(binding.dotted))
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
        for module in self.scopes[self.tree.root].stars:
            if name in STARS.get(module, ()):
                return canonical(f"{module}.{name}")
            if there := self.name_of(f"{module}.{name}"):
                return there
        return ""

    def qualified(self, node: ast.ClassDef | Function) -> str:
        """module.Class.method of a definition in this file."""
        above = [
            a.name for a in self.tree.ancestors(node) if isinstance(a, (ast.ClassDef, *FUNCTIONS))
        ]
        return ".".join([self.tree.module, *reversed(above), node.name])

    def uses_framework(self) -> bool:
        """Whether the file leaves its loops to a framework (Lightning, the Trainer of Transformers)."""
        return self._uses_framework

    @cached_property
    def _uses_framework(self) -> bool:
        return self.imports(*FRAMEWORK_LOOPS)

    def imports(self, *packages: str) -> bool:
        """Whether the file imports one of these packages or names, given with a dot at the end, or
        something of them."""
        return any(f"{dotted}.".startswith(packages) for dotted in self._imported_names)

    @cached_property
    def _imported_names(self) -> set[str]:
        """The dotted names that the file imports at its top."""
        bound = self.scopes[self.tree.root].bindings.values()
        return {b.dotted for found in bound for b in found if b.how == "import"}

    def follow(self, dotted: str, depth: int = 0) -> Found | None:
        """A dotted name as this file may write it, followed through the project's files; None where it
        does not lead into the project."""
        file, names = self._leads_into(dotted)
        there = self.trees.definer(file) if file else None
        return self.of(there)._inside(names, dotted, depth) if isinstance(there, Tree) else None

    def _leads_into(self, dotted: str) -> tuple[str, list[str]]:
        """The other file that defines or imports what a dotted name of this file means, and the names that
        lead on from there; no file where that is not the project's."""
        parts = dotted.split(".")
        for length in range(len(parts) - 1, 0, -1):
            file = self.trees.files.file_of(".".join(parts[:length]), self.tree.path)
            if file is not None and file != self.tree.path:
                return file, parts[length:]
        return "", []

    def _inside(self, names: list[str], dotted: str, depth: int) -> Found | None:
        bound = self.scopes[self.tree.root].bindings.get(names[0], [])
        if len(bound) != 1 or depth > DEEPEST:
            return Found(dotted) if bound else None
        binding = bound[0]
        rest = names[1:]
        if binding.how == "import":
            target = ".".join([binding.dotted, *rest])
            return self.follow(target, depth + 1) or Found(target)
        if binding.how in ("def", "class"):
            node = member(cast(ast.ClassDef, binding.node), rest)
            return Found(dotted, Definition(self.tree, node)) if node is not None else Found(dotted)
        if (
            binding.how == "assign"
            and not binding.path
            and isinstance(binding.value, (ast.Name, ast.Attribute))
        ):
            return Found(".".join([self.resolve(binding.value) or dotted, *rest]))
        return Found(dotted)

    def canonical_name(self, dotted: str) -> str:
        """A dotted name with the project's own re-exports followed to where they lead."""
        if dotted.startswith(("torch", "numpy")):
            return dotted
        return self.name_of(dotted) or dotted

    def name_of(self, dotted: str) -> str:
        """The name of what `follow` finds, "" where it finds nothing. It outlives the trees, so that no
        file is parsed again for its names alone."""
        file, _ = self._leads_into(dotted)
        if file and (file, dotted) not in self.trees.names:
            found = self.follow(dotted)
            self.trees.names[file, dotted] = found.dotted if found else ""
        return self.trees.names.get((file, dotted), "")


@lru_cache(maxsize=10_000)
def canonical(dotted: str) -> str:
    """The public name of a thing of torch, whichever of its addresses was used."""
    if dotted.startswith("torch"):
        for pattern, home in HOMES:
            dotted = pattern.sub(home, dotted, count=1)
    return dotted
