"""Whose code a frame runs, and the user's own names for things."""

from __future__ import annotations

import dis
import os
import sys
import sysconfig
from collections.abc import Iterator
from functools import cache
from opcode import opmap
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

from keng import pitfalls
from keng.model import Span

OURS = str(Path(__file__).parents[1])
LIBRARIES = tuple(
    {sysconfig.get_path(kind) for kind in ("stdlib", "platstdlib", "purelib", "platlib")}
    | {str(Path(__file__).parents[1])}
)
ITEMS = 100
"""Of a container or an object that are visited."""
POP, CACHE = opmap["POP_TOP"], opmap.get("CACHE", 0)
PARTS = ("/site-packages/", "/dist-packages/", "<frozen ", "<attrs generated", "<eval_with_key>")


@cache
def is_user(path: str) -> bool:
    """Neither torch nor any other library, nor keng and its packs."""
    path = path.replace("\\", "/")
    if path.startswith(LIBRARIES) or any(part in path for part in PARTS):
        return False
    return not any(path.startswith(os.path.join(home, "")) for home in pitfalls.pack_homes())


def is_user_made(thing: object) -> bool:
    """Whether its class is defined in the program, and it has attributes."""
    home = sys.modules.get(type(thing).__module__)
    return hasattr(thing, "__dict__") and is_user(getattr(home, "__file__", None) or "<frozen ")


def user_frames(frame: FrameType | None = None) -> Iterator[FrameType]:
    """The user's own frames that run now, innermost first."""
    at: FrameType | None = frame or sys._getframe(1)
    while at is not None:
        if is_user(at.f_code.co_filename):
            yield at
        at = at.f_back


def called_by_user() -> bool:
    """Whether the call that a tap saw was made by the program itself, not by a library that it runs."""
    at: FrameType | None = sys._getframe(1)
    while at is not None and at.f_code.co_filename.startswith(OURS):
        at = at.f_back
    return at is not None and is_user(at.f_code.co_filename)


def here() -> Span | None:
    """The line of the user's code that runs now."""
    frame = next(user_frames(), None)
    return Span(frame.f_code.co_filename, frame.f_lineno) if frame else None


def is_discarded() -> bool:
    """Whether the call that runs now in the user's innermost frame is a statement of its own, which
    discards the result."""
    frame = next(user_frames(), None)
    if frame is None:
        return False
    code, at = frame.f_code.co_code, frame.f_lasti + 2
    while at < len(code) and code[at] in (CACHE, dis.EXTENDED_ARG):
        at += 2
    return at < len(code) and code[at] == POP


def name_of(thing: object) -> str:
    """What the user's running frames call a thing (`probs`, `self.head`), or nothing. `self` itself
    is nobody's name for it."""
    for frame in user_frames():
        for name, value in _variables(frame):
            if value is thing and name != "self":
                return name
        if (owner := frame.f_locals.get("self")) is not None:
            for name, value in getattr(owner, "__dict__", {}).items():
                if value is thing:
                    return f"self.{name}"
    return ""


def kept_as(thing: object) -> str:
    """As an attribute of an object of the user's own that a variable leads to, or nothing."""
    for frame in user_frames():
        for name, value in _variables(frame):
            for attribute, inner in vars(value).items() if is_user_made(value) else ():
                if inner is thing:
                    return f"{name}.{attribute}"
    return ""


def spoken(thing: object) -> str:
    """As the user calls it; its class where it has no name."""
    return name_of(thing) or type(thing).__name__


def key_in(key: object) -> str:
    """As it stands in brackets. The state of an optimizer has parameters as keys, whose values are not to
    be read."""
    return repr(key) if isinstance(key, (str, int)) else "..."


def variables(kind: type) -> Iterator[tuple[str, Any]]:
    """The variables of a kind in the user's running frames, innermost first."""
    for frame in user_frames():
        for name, value in _variables(frame):
            if isinstance(value, kind) and name != "self":
                yield name, value
        for name, value in getattr(frame.f_locals.get("self"), "__dict__", {}).items():
            if isinstance(value, kind):
                yield f"self.{name}", value


def reached(kind: type, depth: int = 3) -> Iterator[Any]:
    """What of a kind the variables of the user's running frames lead to, by containers and attributes."""
    seen: set[int] = set()
    todo = [(value, depth) for frame in user_frames() for _, value in _variables(frame)]
    while todo:
        value, left = todo.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if issubclass(type(value), kind):
            yield value
        elif left and not issubclass(type(value), (type, ModuleType)):
            todo += [(inner, left - 1) for inner in _inner(value)]


def _inner(value: Any) -> list[Any]:
    if issubclass(type(value), (list, tuple)):
        return list(value[:ITEMS])
    things = value if issubclass(type(value), dict) else getattr(value, "__dict__", {})
    return list(things.values())[:ITEMS]


def _variables(frame: FrameType) -> list[tuple[str, Any]]:
    names = list(frame.f_locals.items())
    if frame.f_locals is not frame.f_globals:
        names += frame.f_globals.items()
    return names
