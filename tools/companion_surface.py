"""What one version of a library offers, told from its files alone: names by module, and what its classes and
functions take by name. None of them is executed."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

LAZY = re.compile(r"_LazyModule|__getattr__|lazy_loader|_import_structure|_SUBMOD_ATTRS")
LISTED = re.compile(rb"^__all__ = \[([^\]]*)\]", re.M)
WORD = re.compile(r"[A-Za-z_]\w*\Z")
APART = re.compile(
    r"\.(tests?|testing|_?examples?|commands|benchmarks?|research|scripts|_graveyard|cli|demos)(\.|$)|\._|conftest"
)
MODELS = "transformers.models."
"""Thousands of files: of these only the lists of what they offer are read, but for those of `auto`."""

Names = set[str]
Where = tuple[str, str]
"""A module and a name in it."""


class Takes(NamedTuple):
    """The arguments that are taken by name, and whether any others are."""

    names: Names
    others: bool


class Offered(NamedTuple):
    """A class or function: the full names it is offered by, what it takes, its methods, and what its
    constructor sets."""

    places: Names
    is_class: bool
    takes: Takes | None
    methods: dict[str, Takes]
    fields: frozenset[str] = frozenset()


class Surface:
    def __init__(self, root: Path) -> None:
        self.library = root.name
        self.models: Names = set()
        self.files: dict[str, Path] = {}
        self.trees: dict[str, ast.Module] = {}
        for file in sorted(root.rglob("*.py")):
            parts = [root.name, *file.relative_to(root).with_suffix("").parts]
            module = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            self.files[module] = file
            self.trees[module] = self._parsed(module, file.read_bytes())
        self._bound = {module: self._bound_in(module) for module in self.trees}
        self._names: dict[str, Names] = {}

    @property
    def modules(self) -> list[str]:
        return [module for module in self.trees if not APART.search(module)]

    def names(self, module: str, seen: frozenset[str] = frozenset()) -> Names:
        """All of the library's own that can be imported from it."""
        if module in self._names:
            return self._names[module]
        found = self._submodules(module) | (self.models if module == self.library else set())
        for name, where in self._bound.get(module, {}).items():
            if name.startswith("*") and isinstance(where, tuple):
                if where[0] not in seen | {module}:
                    found |= self._starred(where[0], seen | {module})
            elif isinstance(where, ast.AST) or self._is_own(where[0]):
                found.add(name)
        if not seen:
            self._names[module] = found
        return found

    def is_imported(self, module: str, name: str) -> bool:
        """Whether a file of the library takes it from another one."""
        return isinstance(self._bound.get(module, {}).get(name), tuple)

    def is_written(self, module: str, name: str) -> bool:
        """Whether it is a function or class that is defined in a file of the library."""
        return self._definition(module, name) is not None

    def offered(self) -> dict[Where, Offered]:
        """By where each is defined; in modules that are no deeper than two below the library."""
        found: dict[Where, Offered] = {}
        for module in self.modules:
            public = [n for n in self.names(module) if n[0] != "_"] if module.count(".") < 3 else []
            for name in public:
                at = self._definition(module, name)
                if at is None:
                    continue
                home, node = at
                if (home, node.name) not in found:
                    methods = self._methods(home, node)
                    is_class = isinstance(node, ast.ClassDef)
                    takes = self._takes(home, node)
                    found[home, node.name] = Offered(set(), is_class, takes, methods, _fields(node))
                found[home, node.name].places.add(f"{module}.{name}")
        return found

    def asked_of_others(self) -> set[Where]:
        """What it imports from other libraries; the module alone has no name."""
        found: set[Where] = set()
        for tree in self.trees.values():
            for node in ast.walk(tree):
                if isinstance(node, ast.ImportFrom) and not node.level and node.module:
                    found |= {(node.module, alias.name) for alias in node.names}
                elif isinstance(node, ast.Import):
                    found |= {(alias.name, "") for alias in node.names}
        return {(module, name) for module, name in found if not self._is_own(module)}

    def _parsed(self, module: str, source: bytes) -> ast.Module:
        if module.startswith(MODELS) and not module.startswith(f"{MODELS}auto"):
            listed = LISTED.search(source)
            self.models |= set(re.findall(r"\w+", listed[1].decode())) if listed else set()
            source = b""
        try:
            return ast.parse(source)
        except (SyntaxError, ValueError):  # of Python 2, or a template
            return ast.Module([], [])

    def _bound_in(self, module: str) -> dict[str, Where | ast.AST]:
        """A name -> its definition, or where it comes from; `*module` -> all of that module."""
        bound: dict[str, Where | ast.AST] = {}
        for node in _statements(self.trees[module].body):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                bound[node.name] = node
            elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.For)):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                stored = [n for each in targets for n in ast.walk(each) if isinstance(n, ast.Name)]
                bound |= {each.id: node for each in stored}
            elif isinstance(node, ast.ImportFrom):
                source = self._source(node, module)
                for alias in node.names:
                    key = f"*{source}" if alias.name == "*" else alias.asname or alias.name
                    bound[key] = (source, alias.name)
            elif isinstance(node, ast.Import):
                bound |= {alias.asname: (alias.name, "") for alias in node.names if alias.asname}
        lazy = not module.startswith(MODELS) and LAZY.search(self.files[module].read_text("utf-8"))
        texts = [n.value for n in ast.walk(self.trees[module]) if isinstance(n, ast.Constant)]
        for text in texts if lazy else ():
            if isinstance(text, str) and WORD.match(text):
                bound.setdefault(text, (module, ""))
        return bound

    def _source(self, node: ast.ImportFrom, module: str) -> str:
        if not node.level:
            return re.sub(r"^lightning\.pytorch\b", "pytorch_lightning", node.module or "")
        base = module.split(".")
        up = node.level - (self.files[module].name == "__init__.py")
        return ".".join([*base[: len(base) - up], *([node.module] if node.module else [])])

    def _is_own(self, module: str) -> bool:
        return module.partition(".")[0] == self.library

    def _starred(self, module: str, seen: frozenset[str]) -> Names:
        names, listed = (
            self.names(module, seen) - self._submodules(module),
            self._bound.get(module, {}).get("__all__"),
        )
        value = getattr(listed, "value", None)
        if isinstance(value, (ast.List, ast.Tuple)):
            return names & {n.value for n in ast.walk(value) if isinstance(n, ast.Constant)}
        return {name for name in names if name[0] != "_"}

    def _submodules(self, module: str) -> Names:
        start = f"{module}."
        return {m[len(start) :].partition(".")[0] for m in self.trees if m.startswith(start)}

    def _definition(self, module: str, name: str, deep: int = 0) -> tuple[str, ast.AST] | None:
        bound = self._bound.get(module, {}) if deep < 12 else {}
        where = bound.get(name)
        if isinstance(where, (ast.ClassDef, ast.FunctionDef)):
            return module, where
        stars = [(s[0], name) for key, s in bound.items() if key[0] == "*"]
        for source, its in [where, *stars] if isinstance(where, tuple) else stars:
            found = self._definition(source, its, deep + 1) if self._is_own(source) else None
            if found is not None:
                return found
        return None

    def _takes(self, module: str, node: ast.AST, deep: int = 0) -> Takes | None:
        """None where that is not clear."""
        if isinstance(node, ast.FunctionDef):
            named = [*node.args.args, *node.args.kwonlyargs]
            decorated = [n for each in node.decorator_list for n in ast.walk(each)]
            words = {getattr(n, "value", None) for n in decorated}
            kept = {each for each in words if isinstance(each, str)}  # of an older name
            return Takes(
                {arg.arg for arg in named} - {"self", "cls"} | kept, node.args.kwarg is not None
            )
        if not isinstance(node, ast.ClassDef) or deep > 10:
            return None
        own = [n for n in node.body if isinstance(n, ast.FunctionDef) and n.name == "__init__"]
        if own:
            return self._takes(module, own[0])
        bases = [self._takes(*base, deep + 1) for base in self._bases(module, node)]
        known = [base for base in bases if base is not None]
        if not any("dataclass" in ast.unparse(each) for each in node.decorator_list):
            return known[0] if known else None
        fields = [n.target for n in node.body if isinstance(n, ast.AnnAssign)]
        names = {field.id for field in fields if isinstance(field, ast.Name)}
        return Takes(names.union(*(base.names for base in known)), any(b.others for b in known))

    def _methods(self, module: str, node: ast.AST) -> dict[str, Takes]:
        found: dict[str, Takes] = {}
        for home, base in reversed(self._bases(module, node)):
            found |= self._methods(home, base) if base is not node else {}
        for each in node.body if isinstance(node, ast.ClassDef) else ():
            takes = self._takes(module, each) if isinstance(each, ast.FunctionDef) else None
            if takes is not None and each.name[0] != "_":
                found[each.name] = takes
        return found

    def _bases(self, module: str, node: ast.AST) -> list[tuple[str, ast.AST]]:
        named = [b.id for b in getattr(node, "bases", ()) if isinstance(b, ast.Name)]
        return [at for name in named if (at := self._definition(module, name)) is not None]


def _fields(node: ast.AST) -> frozenset[str]:
    makers = [n for n in getattr(node, "body", ()) if getattr(n, "name", "") == "__init__"]
    stored = [n for maker in makers for n in ast.walk(maker) if isinstance(n, ast.Attribute)]
    own = [
        n for n in stored if isinstance(n.ctx, ast.Store) and getattr(n.value, "id", "") == "self"
    ]
    return frozenset(n.attr for n in own if n.attr[0] != "_")


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Those that run when the module is imported, or may."""
    for node in body:
        if isinstance(node, ast.If):
            yield from _statements([*node.body, *node.orelse])
        elif isinstance(node, ast.Try):
            handled = [each for handler in node.handlers for each in handler.body]
            yield from _statements([*node.body, *handled, *node.orelse, *node.finalbody])
        elif isinstance(node, ast.With):
            yield from _statements(node.body)
        else:
            yield node
