"""A layer of Code: what an argument or another name in a function must be, told by what that does with it."""

from __future__ import annotations

import ast
import re
from functools import cached_property

from keng.source.classes import Classes
from keng.source.index import Function
from keng.source.names import Definition, Scope
from keng.source.values import Kind

OF_MODULES = frozenset(
    """
    parameters named_parameters state_dict load_state_dict eval train zero_grad cuda half to modules
    """.split()
)
"""Methods that, among the things that can be called, only a module has."""
BUILDS = re.compile(r"build|create|make")
OF_LOADERS = frozenset({"dataset", "batch_sampler", "num_workers"})
LOSS = re.compile(r"loss|crit", re.IGNORECASE)


class Usage(Classes):
    def kind_by_use(self, function: Function | None, name: str) -> Kind:
        """A module where what has a name in a function is called and has methods of modules called, a
        loader where it is gone through and has attributes of loaders read; else unknown. Which module
        it is, a model or a criterion, its use does not tell: what is called a loss stays unknown."""
        done = self._done_to(function, name)
        if "()" in done and done & OF_MODULES and not LOSS.search(name):
            return Kind.MODULE
        return Kind.LOADER if "for" in done and done & OF_LOADERS else Kind.UNKNOWN

    def held(self, holder: ast.expr) -> dict[object, ast.expr]:
        """What the dictionary, or ModuleDict of one, holds that a name or an attribute of `self` was
        given, as far as it is written out and stays so."""
        ways: list[tuple[ast.AST | None, tuple[int, ...]]] = []
        if isinstance(holder, ast.Name):
            ways = [(b.value, b.path) for b in self.reaching(holder)]
        elif isinstance(holder, ast.Attribute) and (owner := self.self_class(holder.value)):
            ways = list(self.attributes(owner).get(holder.attr, []))
        made, path = ways[0] if len(ways) == 1 else (None, ())
        if isinstance(made, ast.Call) and self.resolve(made.func) == "torch.nn.ModuleDict":
            made = made.args[0] if made.args else None
        if not isinstance(made, ast.Dict) or path or ast.unparse(holder) in self._refilled:
            return {}
        keys = [key.value if isinstance(key, ast.Constant) else key for key in made.keys]
        return dict(zip(keys, made.values, strict=True))

    def chosen(self, function: ast.expr) -> list[ast.expr]:
        """What is called by `TABLE[name](...)`: each entry of the dictionary may be."""
        table = function.value if isinstance(function, ast.Subscript) else None
        return list(self.held(table).values()) if table is not None else []

    def built_from(self, function: ast.expr) -> list[Definition]:
        """The classes of which one is made by `REGISTRY[name](...)`, `REGISTRY.get(name)(...)` or
        `REGISTRY.build(...)`, where they are registered by decorators."""
        match function:
            case (
                ast.Subscript(value=ast.Name() as registry)
                | ast.Call(func=ast.Attribute(attr="get", value=ast.Name() as registry))
            ):
                return self.project.registered(self._dotted_of(registry))
            case ast.Attribute(attr=name, value=ast.Name() as registry) if BUILDS.match(name):
                return self.project.registered(self._dotted_of(registry))
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
        found = self.bindings(name)
        here = len(found) == 1 and found[0].how == "assign" and self.lookup(name) is self._top
        return f"{self.module}.{name.id}" if here else self.resolve(name)

    @property
    def _top(self) -> Scope:
        return self.scopes[self.tree]

    def chosen_from(self, function: ast.expr) -> ast.expr | None:
        """The module of `getattr(module, name)(...)` or `module.__dict__[name](...)`."""
        match function:
            case ast.Call(func=ast.Name(id="getattr"), args=[module, _]):
                return module
            case ast.Subscript(value=ast.Attribute(value=module, attr="__dict__")):
                return module
        return None

    @cached_property
    def _refilled(self) -> set[str]:
        """What is given items one by one, as text."""
        return {
            ast.unparse(item.value)
            for item in self.of(ast.Subscript)
            if not isinstance(item.ctx, ast.Load)
        }

    def parts_of(self, call: ast.Call) -> list[ast.expr]:
        """The modules that a Sequential or ModuleList literal holds."""
        if len(call.args) == 1 and isinstance(call.args[0], (ast.List, ast.Tuple)):
            return call.args[0].elts
        return [] if any(isinstance(a, ast.Starred) for a in call.args) else call.args

    def part_at(self, call: ast.Call, index: ast.expr) -> ast.expr | None:
        """The module that such a literal has at an index, a number."""
        parts = self.parts_of(call)
        at = index.value if isinstance(index, ast.Constant) else None
        return parts[at] if isinstance(at, int) and -len(parts) <= at < len(parts) else None

    def _done_to(self, function: Function | None, name: str) -> set[str]:
        """What is done to a name in a function: called "()", gone through "for", or the name of an
        attribute."""
        if (function, name) not in self._done:
            uses = self._names_by_id.get(name, ())
            inside = [use for use in uses if self.function_around(use) is function]
            self._done[function, name] = set(filter(None, map(self._use, inside)))
        return self._done[function, name]

    @cached_property
    def _done(self) -> dict[tuple[ast.AST | None, str], set[str]]:
        return {}

    @cached_property
    def _names_by_id(self) -> dict[str, list[ast.Name]]:
        found: dict[str, list[ast.Name]] = {}
        for name in self.of(ast.Name):
            found.setdefault(name.id, []).append(name)
        return found

    def _use(self, name: ast.Name) -> str:
        match above := self.parent[name]:
            case ast.Attribute(attr=attribute):
                return attribute
            case ast.Call(func=called) if called is name:
                return "()"
        return "for" if self._gone_through(name, above) else ""

    def _gone_through(self, name: ast.AST, above: ast.AST) -> bool:
        """Whether a loop goes over a name, wrapped in enumerate or a progress bar perhaps."""
        while isinstance(above, ast.Call) and above.args and above.args[0] is name:
            name, above = above, self.parent[above]
        return isinstance(above, (ast.For, ast.AsyncFor)) and above.iter is name
