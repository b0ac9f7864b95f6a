"""From the call that failed back to the file that its argument was read from, by the source of its frames.

Followed are names, keys that are written out, and parameters into the function that called. Whatever may
have changed the value on its way ends the trail: what is said of a file must hold of that file.
"""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator
from types import FrameType, TracebackType
from typing import Any

from keng.explain.inspecting.operands import value_of
from keng.explain.ownership.paths import is_user

READS = ("torch.load", "load_file", "safetensors.torch.load_file")
CHANGES = ("pop", "popitem", "update", "setdefault", "clear")
HOPS = 8
"""Assignments and functions, at most."""
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)

Keys = tuple[str, ...]


class Lost(Exception):  # noqa: N818
    """The trail ends."""


def read_from(tracebacks: list[TracebackType], torch: Any) -> tuple[str, Keys]:
    """The file by the name that the program has for it, and the keys in it that lead to what the
    innermost call of the user's was given. Both are empty where that cannot be determined."""
    user = [tb for tb in tracebacks if is_user(tb.tb_frame.f_code.co_filename)]
    keys: Keys = ()
    wanted: FrameType | None = None
    name = "state_dict"
    try:
        for traceback in reversed(user[-HOPS:]):
            frame = traceback.tb_frame
            node = _given(_call(traceback), name, wanted)
            more, end = _followed(node)
            keys = (*more, *keys)
            if isinstance(end, ast.Call):
                return _file(end, frame, torch), keys
            wanted, name = frame, end.id
    except Lost:
        pass
    return "", ()


def _call(traceback: TracebackType) -> ast.Call:
    from executing import Source

    node = Source.executing(traceback).node
    if not isinstance(node, ast.Call):
        raise Lost
    return node


def _given(call: ast.Call, name: str, called: FrameType | None) -> ast.expr:
    """What a call gave for a parameter of the function it called, that of `load_state_dict` first."""
    place = 0
    if called is not None:
        code = called.f_code
        names = code.co_varnames[: code.co_argcount]
        if name not in names:
            raise Lost
        bound = names[0] == "self" and isinstance(call.func, ast.Attribute)
        place = names.index(name) - bound
    named = next((keyword.value for keyword in call.keywords if keyword.arg == name), None)
    if named is None and (place >= len(call.args) or isinstance(call.args[place], ast.Starred)):
        raise Lost
    return named or call.args[place]


def _followed(node: ast.expr) -> tuple[Keys, ast.Call | ast.Name]:
    """The keys, and the call or the parameter where they begin."""
    keys: Keys = ()
    for _ in range(HOPS):
        while isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
            keys, node = (str(node.slice.value), *keys), node.value
        if isinstance(node, ast.Call):
            return keys, node
        if not isinstance(node, ast.Name):
            raise Lost
        before = _assigned(node)
        if before is None:
            return keys, node
        node = before
    raise Lost


def _assigned(name: ast.Name) -> ast.expr | None:
    """What a name was given by the last assignment before it; None where its function has none. Lost where
    another statement before it may have given it something else, or changed what it stands for."""
    for statement in _before(name):
        if not any(_touches(node, name.id) for node in ast.walk(statement)):
            continue
        match statement:
            case ast.Assign(targets=[ast.Name(id=name.id)], value=value):
                return value
        raise Lost
    return None


def _before(node: ast.AST) -> Iterator[ast.stmt]:
    """The statements of its function that have run before it, last first; of loops and branches around
    it those of its own block."""
    while not isinstance(node, (*FUNCTIONS, ast.Module)):
        above: ast.AST = node.parent  # type: ignore[attr-defined]  # as executing leaves it
        for block in (getattr(above, field, ()) for field in ("body", "orelse", "finalbody")):
            if isinstance(block, list) and node in block:
                yield from reversed(block[: block.index(node)])
        node = above


def _touches(node: ast.AST, name: str) -> bool:
    """Whether it binds a name, or changes what the name stands for."""
    if isinstance(node, ast.Name):
        return node.id == name and not isinstance(node.ctx, ast.Load)
    if isinstance(node, ast.Subscript):
        held, changed = node.value, not isinstance(node.ctx, ast.Load)
    elif isinstance(node, ast.Attribute):
        held, changed = node.value, node.attr in CHANGES
    else:
        return False
    return changed and isinstance(held, ast.Name) and held.id == name


def _file(call: ast.Call, frame: FrameType, torch: Any) -> str:
    if ast.unparse(call.func) not in READS or not call.args:
        raise Lost
    node = call.args[0]
    value = node.value if isinstance(node, ast.Constant) else value_of(node, frame, torch)
    if not isinstance(value, str | os.PathLike) or not os.path.isfile(value):
        raise Lost
    return os.fspath(value)
