"""What a class of the user's does with its attributes, read from its text."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, TypeGuard

from keng.model import Span

if TYPE_CHECKING:
    from torch.nn import Module


@lru_cache(maxsize=64)
def tree_of_class(owner: type) -> tuple[ast.Module, int]:
    """The tree of a class and the lines before it; an empty one where its text is not at hand."""
    try:
        lines, first = inspect.getsourcelines(owner)
        return ast.parse(textwrap.dedent("".join(lines))), first - 1
    except (OSError, TypeError, SyntaxError):
        return ast.Module([], []), 0


def assigned_at(owner: type, attribute: str) -> Span | None:
    """The line that first assigns to `self.attribute`, in the class or one that it is made from."""
    for node, kind in _nodes(owner):
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and _sets(node, attribute):
            return _place(kind, node.lineno)
    return None


def _sets(node: ast.Assign | ast.AnnAssign, attribute: str) -> bool:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return any(_is_own(inner, attribute) for target in targets for inner in ast.walk(target))


def uses(owner: type, attribute: str) -> list[ast.AST]:
    """What stands around each `self.attribute` in the methods besides `__init__` and `__len__`."""
    found: list[ast.AST] = []
    for method in _methods(owner):
        if method.name not in ("__init__", "__len__"):
            around = {id(c): n for n in ast.walk(method) for c in ast.iter_child_nodes(n)}
            found += [around[id(n)] for n in ast.walk(method) if _is_own(n, attribute)]
    return found


def names(module: Module, words: frozenset[str]) -> bool:
    """Whether the class of a module, or of one of its parts, has one of these names in its text."""
    kinds: set[type] = {type(part) for part in module.modules()}
    trees = (tree_of_class(kind)[0] for kind in kinds)
    nodes = (node for tree in trees for node in ast.walk(tree))
    return any(getattr(node, "attr", getattr(node, "id", "")) in words for node in nodes)


def grown_at(owner: type, attribute: str) -> Span | None:
    """The line that puts something into `self.attribute`, outside `__init__`."""
    for node, kind in _nodes(owner):
        if _puts(node, attribute):
            return _place(kind, node.lineno)
    return None


def _puts(node: ast.AST, attribute: str) -> TypeGuard[ast.expr]:
    match node:
        case ast.Call(func=ast.Attribute(value=inner, attr="append" | "add" | "extend" | "insert")):
            return _is_own(inner, attribute)
        case ast.Subscript(value=inner, ctx=ast.Store()):
            return _is_own(inner, attribute)
    return False


def returned_at(owner: type, method: str) -> Span | None:
    """The one line on which a method returns something."""
    for node, kind in _nodes(owner):
        if isinstance(node, ast.FunctionDef) and node.name == method:
            lines = [inner.lineno for inner in ast.walk(node) if isinstance(inner, ast.Return)]
            return _place(kind, lines[0]) if len(lines) == 1 else None
    return None


def index_of(owner: type) -> str:
    """What `__getitem__` calls its index, or nothing."""
    for method in _methods(owner):
        if method.name == "__getitem__" and len(method.args.args) == 2:
            return method.args.args[1].arg
    return ""


def _nodes(owner: type) -> Iterator[tuple[ast.AST, type]]:
    """Of a class and of those that it is made from, the nearest first; with the class."""
    for kind in owner.__mro__[:-1]:
        yield from ((node, kind) for node in ast.walk(tree_of_class(kind)[0]))


def _place(kind: type, line: int) -> Span:
    return Span(inspect.getfile(kind), tree_of_class(kind)[1] + line)


def _methods(owner: type) -> Iterator[ast.FunctionDef]:
    """The methods that are called: of those of one name the one nearest to the class."""
    seen: set[str] = set()
    for kind in owner.__mro__[:-1]:
        tree, _ = tree_of_class(kind)
        own = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
        yield from (node for node in own if node.name not in seen)
        seen |= {node.name for node in own}


def _is_own(node: ast.AST, attribute: str) -> bool:
    match node:
        case ast.Attribute(value=ast.Name(id="self"), attr=name):
            return name == attribute
    return False
