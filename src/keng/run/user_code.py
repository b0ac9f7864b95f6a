"""The source of the running program as `keng.source` analyses it, read when a finding needs it.

A program may define its classes in a file, a notebook cell or standard input: texts come from linecache.
Where there is no text, or it does not parse, there is no code, and findings do without.
"""

from __future__ import annotations

import ast
import linecache
import sys
from collections.abc import Iterator
from functools import cache
from types import FrameType, FunctionType
from typing import TYPE_CHECKING, Any

from keng.model import Skipped, Span
from keng.run.frames import here, is_user, user_frames

if TYPE_CHECKING:
    from torch.nn import Module

    from keng.source.code import Code, Project
    from keng.source.tree import Function

ADDERS = {"append", "add", "extend", "insert"}
HOOKS = {"register_hook", "register_full_backward_hook", "register_post_accumulate_grad_hook"}

_project: Project | None = None
_codes: dict[str, tuple[str, Code | None]] = {}


def code_at(path: str, space: dict[str, Any] | None = None) -> Code | None:
    """The code of a file as it is now. `space` are the globals of its module, for one in an archive."""
    text = "".join(linecache.getlines(path, space))
    known = _codes.get(path)
    if known is None or known[0] != text:
        known = _codes[path] = text, _read(path, text)
    return known[1]


def _read(path: str, text: str) -> Code | None:
    global _project
    from keng.source.code import Project

    if _project is None:
        _project = Project()
    code = _project.read_whole(path, text)
    return None if isinstance(code, Skipped) else code


def code_of(frame: FrameType) -> Code | None:
    return code_at(frame.f_code.co_filename, frame.f_globals)


def running() -> tuple[Code, Function | ast.Module, FrameType] | None:
    """The innermost frame of the user's that runs now, and the function or module that it runs."""
    frame = next(user_frames(), None)
    code = code_of(frame) if frame is not None else None
    if frame is None or code is None:
        return None
    return code, code.tree.body_at(frame.f_lineno), frame


def hooked_at() -> Span | None:
    """The line that registers the function that runs now as a hook, else the line that runs."""
    found = running()
    if found is None:
        return here()
    code, body, frame = found
    return _registered(code, getattr(body, "name", "")) or Span(
        frame.f_code.co_filename, frame.f_lineno
    )


@cache
def _registered(code: Code, name: str) -> Span | None:
    for call in code.of(ast.Call) if name else ():
        given = [each.id for each in call.args if isinstance(each, ast.Name)]
        if name in given and called(call).startswith("register_"):
            return line(code, call)
    return None


def codes() -> Iterator[Code]:
    """The user's own files that are imported, each once: a program has several names in
    `sys.modules`."""
    files = (getattr(module, "__file__", None) or "" for module in list(sys.modules.values()))
    for path in dict.fromkeys(files):
        if path.endswith(".py") and is_user(path) and (code := code_at(path)) is not None:
            yield code


def called(call: ast.Call) -> str:
    """The last name of what is called: `all_gather` of `dist.all_gather(...)`."""
    return getattr(call.func, "attr", getattr(call.func, "id", ""))


def path_of(kind: type) -> str:
    """The file of the module that defines a class; empty where it has none."""
    return getattr(sys.modules.get(kind.__module__), "__file__", None) or ""


def class_of(kind: type) -> tuple[Code, ast.ClassDef] | None:
    """Where a class is defined; None without a text, as for one that is compiled or made by a call."""
    path = path_of(kind)
    code = code_at(path) if path.endswith(".py") else None
    node = code.tree.definition(kind.__qualname__) if code is not None else None
    return (code, node) if code is not None and isinstance(node, ast.ClassDef) else None


def lineage_of(kind: type) -> Iterator[tuple[Code, ast.ClassDef]]:
    """Where a class and its bases are defined, in the order of its `__mro__`."""
    for each in kind.__mro__[:-1]:
        if (found := class_of(each)) is not None:
            yield found


def classes_of(module: Module) -> Iterator[tuple[Code, ast.ClassDef]]:
    """Where the classes of a module and its parts are defined, as far as they are the user's own."""
    kinds: set[type] = {type(part) for part in module.modules()}
    for kind in kinds:
        if is_user(path_of(kind)) and (found := class_of(kind)) is not None:
            yield found


def function_of(function: object) -> tuple[Code, ast.AST] | None:
    """Where a function of Python is defined."""
    if not isinstance(function, FunctionType):
        return None
    code = code_at(function.__code__.co_filename, function.__globals__)
    node = code.tree.definition(function.__qualname__) if code is not None else None
    return (code, node) if code is not None and node is not None else None


def line(code: Code, node: ast.stmt | ast.expr) -> Span:
    """A line of the program, as frames give it."""
    return Span(code.path, node.lineno)


def uses(kind: type, attribute: str) -> list[ast.AST]:
    """The nodes around each `self.attribute` in the methods other than `__init__` and `__len__`."""
    return [
        code.tree.parent[node]
        for code, method in _methods(kind)
        if method.name not in ("__init__", "__len__")
        for node in code.below(method, ast.Attribute)
        if is_own(node, attribute)
    ]


def _methods(kind: type) -> Iterator[tuple[Code, Function]]:
    """The methods that are called: of those of one name, that of the nearest class."""
    seen: set[str] = set()
    for code, owner in lineage_of(kind):
        own = code.below(owner, ast.FunctionDef)
        yield from ((code, method) for method in own if method.name not in seen)
        seen |= {method.name for method in own}


def assigned_at(kind: type, attribute: str) -> Span | None:
    """The line that first assigns to `self.attribute`, in a class or its bases."""
    for code, owner in lineage_of(kind):
        for node in code.below(owner, ast.Assign, ast.AnnAssign):
            inner = (each for target in _targets(node) for each in ast.walk(target))
            if any(is_own(each, attribute) for each in inner):
                return line(code, node)
    return None


def _targets(node: ast.stmt) -> list[ast.expr]:
    match node:
        case ast.Assign(targets=targets):
            return targets
        case ast.AnnAssign(target=target):
            return [target]
    return []


def grown_at(kind: type, attribute: str) -> Span | None:
    """The line that adds to the container `self.attribute`, in a class or its bases."""
    for code, owner in lineage_of(kind):
        for node in code.below(owner, ast.Call, ast.Subscript):
            if _adds_to(node, attribute):
                return line(code, node)
    return None


def _adds_to(node: ast.expr, attribute: str) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(value=inner, attr=name)):
            return name in ADDERS and is_own(inner, attribute)
        case ast.Subscript(value=inner, ctx=ast.Store()):
            return is_own(inner, attribute)
    return False


def is_own(node: ast.AST, attribute: str) -> bool:
    """Whether an expression is `self.attribute`."""
    match node:
        case ast.Attribute(value=ast.Name(id="self"), attr=name):
            return name == attribute
    return False


def only_set_at(attribute: str, owned: bool = False) -> Span | None:
    """The first line of the program that sets an attribute of that name, where none reads one; with
    `owned`, where none reads one of what it is set on, by its last word. An attribute of `self` is the
    user's own."""
    stores: dict[str, Span] = {}
    loads: set[str] = set()
    for code in codes():
        if any(_asks_for(call, attribute) for call in code.calls.calls_named("getattr")):
            return None
        for node in code.tree.attributes_by_name.get(attribute, []):
            owner = last_word(node.value) if owned else ""
            if owner == "self":
                continue
            if isinstance(node.ctx, ast.Store):
                stores.setdefault(owner, line(code, node))
            else:
                loads.add(owner)
    return None if loads & stores.keys() else next(iter(stores.values()), None)


def _asks_for(call: ast.Call, attribute: str) -> bool:
    return any(isinstance(given, ast.Constant) and given.value == attribute for given in call.args)


def last_word(node: ast.expr) -> str:
    """`sched` of `self.sched`; empty for what has no name."""
    return node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")


def reads_gradients() -> bool:
    """Whether the program uses a gradient itself, or hooks one. To ask whether there is one is no use, and
    `torch.autograd.grad` is a function."""
    return any(_is_gradient_used(code, node) for code in codes() for node in code.of(ast.Attribute))


def _is_gradient_used(code: Code, node: ast.Attribute) -> bool:
    if node.attr in HOOKS:
        return True
    if node.attr != "grad":
        return False
    match code.tree.parent[node]:
        case ast.Compare(left=left, ops=[ast.Is() | ast.IsNot(), *_]) if left is node:
            return False
        case ast.Call(func=function) if function is node:
            return False
    return True
