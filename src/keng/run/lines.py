"""Finds the line of an operation in the user's own running functions."""

from __future__ import annotations

import ast
import linecache
import sys
from collections.abc import Iterator
from types import FrameType
from typing import TYPE_CHECKING, TypeGuard

from keng.model import Span
from keng.run.classes import tree_of_class
from keng.run.frames import here, is_user, user_frames

if TYPE_CHECKING:
    from torch.nn import Module

SIGNS: dict[str, type[ast.operator]] = {
    "add": ast.Add, "div": ast.Div, "mul": ast.Mult, "pow": ast.Pow, "sub": ast.Sub,
}  # fmt: skip


def tree_of(frame: FrameType) -> ast.Module:
    """The tree of the file that a frame runs; an empty one where its text is not at hand."""
    return _parsed(linecache.getlines(frame.f_code.co_filename, frame.f_globals))


def tree_at(path: str) -> ast.Module:
    return _parsed(linecache.getlines(path))


def user_trees() -> Iterator[tuple[str, ast.Module]]:
    """The user's own files that are imported, by their paths."""
    for module in list(sys.modules.values()):
        path = getattr(module, "__file__", None) or ""
        if path.endswith(".py") and is_user(path):
            yield path, tree_at(path)


def _parsed(lines: list[str]) -> ast.Module:
    try:
        return ast.parse("".join(lines))
    except SyntaxError:
        return ast.Module([], [])


def function_at(tree: ast.Module, line: int) -> ast.AST:
    """The innermost function around a line, or the file."""
    around: ast.AST = tree
    for node in ast.walk(tree):
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        if node.lineno <= line <= (node.end_lineno or line):
            around = node
    return around


def scope_of(frame: FrameType) -> ast.AST:
    """The function that a frame runs, or the file."""
    return function_at(tree_of(frame), frame.f_lineno)


def line_of(operation: str) -> Span | None:
    """The one line in the running function that calls an operation; where there are none, or several,
    the one that made what the running line names, or that of a function of the user's which it calls."""
    frame = next(user_frames(), None)
    if frame is None:
        return None
    scope = scope_of(frame)
    lines = {node.lineno for node in ast.walk(scope) if _does(node, operation)}
    line = next(iter(lines)) if len(lines) == 1 else _made_at(scope, frame.f_lineno, lines)
    called = None if lines else _line_in_called(frame, scope, line, operation)
    return called or Span(frame.f_code.co_filename, line)


def line_with(operation: str, shape: tuple[int, ...]) -> Span | None:
    """The one line of the running function that does an operation with a variable of that shape; else
    as `line_of`."""
    frame = next(user_frames(), None)
    if frame is None:
        return None
    known = {name for name, value in frame.f_locals.items() if getattr(value, "shape", 0) == shape}
    scope = scope_of(frame)
    lines = {
        node.lineno
        for node in ast.walk(scope)
        if _does(node, operation)
        and any(
            isinstance(each, ast.Name) and each.id in known for each in ast.iter_child_nodes(node)
        )
    }
    return Span(frame.f_code.co_filename, lines.pop()) if len(lines) == 1 else line_of(operation)


def _line_in_called(frame: FrameType, scope: ast.AST, line: int, operation: str) -> Span | None:
    """The one line that does it in the function of the user's that a line calls by its name."""
    for node in ast.walk(scope):
        if not isinstance(node, ast.Call) or node.lineno != line:
            continue
        called = getattr(node.func, "id", "")
        code = getattr(frame.f_locals.get(called, frame.f_globals.get(called)), "__code__", None)
        if code is None or not is_user(code.co_filename):
            continue
        tree = tree_at(code.co_filename)
        inside = function_at(tree, code.co_firstlineno)
        lines = {each.lineno for each in ast.walk(inside) if _does(each, operation)}
        if inside is not tree and len(lines) == 1:
            return Span(code.co_filename, lines.pop())
    return None


def _made_at(scope: ast.AST, running: int, lines: set[int]) -> int:
    """The last assignment before the running line to a name on it: of `loss`, where `loss.backward()`
    runs. The running line where it does the operation itself."""
    if running in lines:
        return running
    nodes = [node for node in ast.walk(scope) if isinstance(node, ast.Name)]
    read = {n.id for n in nodes if isinstance(n.ctx, ast.Load) and n.lineno == running}
    made = {n.lineno for n in nodes if isinstance(n.ctx, ast.Store) and n.id in read}
    return max((line for line in made if line < running), default=running)


def last_set(name: str) -> Span | None:
    """The last line of the running function, before the one that runs, that gives a variable its value."""
    frame = next(user_frames(), None)
    if frame is None:
        return None
    scope = scope_of(frame)
    nodes = (n for n in ast.walk(scope) if isinstance(n, ast.Name) and n.id == name)
    lines = [n.lineno for n in nodes if isinstance(n.ctx, ast.Store)]
    before = [line for line in lines if line < frame.f_lineno]
    return Span(frame.f_code.co_filename, max(before)) if before else here()


def statement_of(function: str, value: bool) -> Span | None:
    """The first statement in the user's files that is a call of a function with one constant."""
    for path, tree in user_trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.Expr) and _calls_with(node.value, function, value):
                return Span(path, node.lineno)
    return None


def rate_set_at() -> Span | None:
    """The one line in the user's files that gives a group of an optimizer's another `"lr"`."""
    found = set(_rates_set())
    return found.pop() if len(found) == 1 else None


def sets_rates() -> bool:
    """Whether any line in the user's files does."""
    return any(True for _ in _rates_set())


def _rates_set() -> Iterator[Span]:
    for path, tree in user_trees():
        for node in ast.walk(tree):
            if not isinstance(node, ast.Subscript) or not isinstance(node.ctx, ast.Store):
                continue
            if getattr(node.slice, "value", None) == "lr":
                yield Span(path, node.lineno)


def left_alone(made: Span) -> str:
    """The one name that a thing is given where it is made, if the user's files neither step what has that
    name nor hand it on."""
    own = tree_at(made.path)
    names = {_last(target) for node in ast.walk(own) for target in _assigned_at(node, made.line)}
    name = names.pop() if len(names) == 1 else ""
    trees = [own, *(tree for path, tree in user_trees() if path != made.path)]
    return "" if any(_used(tree, name) for tree in trees) else name


def _assigned_at(node: ast.AST, line: int) -> list[ast.expr]:
    """What a call that stands at a line is assigned to."""
    if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Call):
        return []
    return node.targets if node.lineno <= line <= (node.end_lineno or line) else []


def _used(tree: ast.Module, name: str) -> bool:
    """Whether it is more than asked, as for its state or its rate."""
    nodes = [node for node in ast.walk(tree) if isinstance(node, (ast.Name, ast.Attribute))]
    asked = {id(n.value) for n in nodes if isinstance(n, ast.Attribute) and n.attr != "step"}
    loaded = (node for node in nodes if isinstance(node.ctx, ast.Load) and id(node) not in asked)
    return any(_last(node) == name for node in loaded)


def _last(node: ast.expr) -> str:
    """`sched` of `self.sched`; nothing of what has no name."""
    return node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")


def reads_key(key: str) -> bool:
    """Whether the file that runs now reads a key of something, as `checkpoint["epoch"]`."""
    frame = next(user_frames(), None)
    return frame is not None and any(_reads(node, key) for node in ast.walk(tree_of(frame)))


def _reads(node: ast.AST, key: str) -> bool:
    match node:
        case ast.Subscript(slice=ast.Constant(value=name), ctx=ast.Load()):
            return name == key
        case ast.Call(func=ast.Attribute(attr="get"), args=[ast.Constant(value=name), *_]):
            return name == key
    return False


HOOKS = {"register_hook", "register_full_backward_hook", "register_post_accumulate_grad_hook"}


def reads_gradients() -> bool:
    """Whether the user's own files do anything with a gradient but to ask whether there is one, or hook
    what is told of it."""
    asks = (ast.Is, ast.IsNot)
    for _, tree in user_trees():
        asked = {
            id(node.left)
            for node in ast.walk(tree)
            if isinstance(node, ast.Compare) and isinstance(node.ops[0], asks)
        }
        # What is called is `torch.autograd.grad`.
        called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and (
                (node.attr == "grad" and id(node) not in asked | called) or node.attr in HOOKS
            ):
                return True
    return False


def _calls_with(node: ast.expr, function: str, value: bool) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(attr=name), args=[ast.Constant(value=given)]):
            return name == function and given is value
        case ast.Call(func=ast.Name(id=name), args=[ast.Constant(value=given)]):
            return name == function and given is value
    return False


def line_in(module: Module, operation: str) -> Span | None:
    """The one line in a module's own code, or its parts', that calls an operation; the running one
    where there are none, or several."""
    found: set[tuple[str, int]] = set()
    for kind in {type(part) for part in module.modules()}:
        if is_user(path := getattr(sys.modules.get(kind.__module__), "__file__", "") or ""):
            found |= {(path, line) for line in _lines_of_class(kind, operation)}
    return Span(*found.pop()) if len(found) == 1 else here()


def _lines_of_class(kind: type, operation: str) -> Iterator[int]:
    tree, before = tree_of_class(kind)
    yield from (before + node.lineno for node in ast.walk(tree) if _does(node, operation))


def _does(node: ast.AST, operation: str) -> TypeGuard[ast.expr]:
    match node:
        case ast.Call(func=ast.Attribute(attr=name)) | ast.Call(func=ast.Name(id=name)):
            return name == operation
        case ast.BinOp(op=ast.Sub(), right=ast.Constant()):  # pairs nothing, and widens nothing
            return False
        case ast.BinOp(op=sign):
            return type(sign) is SIGNS.get(operation)
    return False


def around(manager: str) -> Span | None:
    """The innermost `with` of a call of that name, around a line that a frame of the user's runs now."""
    for frame in user_frames():
        blocks = [
            node.lineno
            for node in ast.walk(tree_of(frame))
            if isinstance(node, ast.With)
            and node.lineno <= frame.f_lineno <= (node.end_lineno or 0)
            and any(_does(item.context_expr, manager) for item in node.items)
        ]
        if blocks:
            return Span(frame.f_code.co_filename, max(blocks))
    return None


def switched_off_at() -> Span | None:
    """The `with no_grad()`, or the function so decorated, that a frame of the user's runs in now, where it
    stands under no condition: what does may be for some time only."""
    for frame in user_frames():
        scope = scope_of(frame)
        for node in ast.walk(scope):
            if not isinstance(node, ast.With) or not _runs_in(node, frame):
                continue
            if any(_does(item.context_expr, "no_grad") for item in node.items):
                asked = any(_decides(each, node) for each in ast.walk(scope))
                return None if asked else Span(frame.f_code.co_filename, node.lineno)
        for made_so in getattr(scope, "decorator_list", ()):
            if _does(made_so, "no_grad"):
                return Span(frame.f_code.co_filename, made_so.lineno)
    return None


def _runs_in(node: ast.With, frame: FrameType) -> bool:
    return node.lineno <= frame.f_lineno <= (node.end_lineno or 0)


def _decides(node: ast.AST, block: ast.With) -> bool:
    """Whether a condition decides if a block is come to: it stands within it, or after a way out."""
    if not isinstance(node, ast.If) or node.lineno > block.lineno:
        return False
    return any(each is block or isinstance(each, ast.Return) for each in ast.walk(node))


def only_set_at(attribute: str, owned: bool = False) -> Span | None:
    """The first line in the user's files that sets an attribute of that name, where none reads one; with
    `owned`, where none reads one of what it is set on, by its last word. What has it as `self` is the
    user's own."""
    stores: dict[str, Span] = {}
    loads: set[str] = set()
    for path, tree in user_trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and node.attr == attribute:
                owner = _last(node.value) if owned else ""
                if owner == "self":
                    continue
                if isinstance(node.ctx, ast.Store):
                    stores.setdefault(owner, Span(path, node.lineno))
                else:
                    loads.add(owner)
            elif isinstance(node, ast.Call) and _asks_for(node, attribute):
                return None
    return None if loads & stores.keys() else next(iter(stores.values()), None)


def _asks_for(call: ast.Call, attribute: str) -> bool:
    return _does(call, "getattr") and any(
        isinstance(given, ast.Constant) and given.value == attribute for given in call.args
    )
