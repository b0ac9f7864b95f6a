"""The frames from which a function can be followed, and the inputs that it was called with."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from types import FrameType
from typing import Any, NamedTuple

from keng.explain.ownership.paths import is_user
from keng.explain.reasons.calls import bind, call_into, is_bound
from keng.explain.reasons.evaluation import Evaluator
from keng.explain.reasons.evaluation import Unknown as Unevaluated
from keng.explain.reasons.levels import Level
from keng.explain.trail.scope import UNKNOWN

MOST_ENTRIES = 4
CALLS = ("_call_impl", "_wrapped_call_impl")
"""The functions of torch's through which a module is called. Their frames keep what it was given."""


class Entry(NamedTuple):
    """A frame, its index, the names that its function finds outside of it, and its inputs."""

    level: int
    frame: FrameType
    names: dict[str, Any]
    given: dict[str, Any]


def entries_of(levels: Sequence[Level], torch: Any) -> Iterator[Entry]:
    """The outermost forward of a module first, then those inside of it; else the deepest function."""
    user = [
        (n, level.live)
        for n, level in enumerate(levels)
        if level.live is not None and is_user(level.path) and level.function is not None
    ]
    forwards = [
        (n, frame) for n, frame in user if isinstance(frame.f_locals.get("self"), torch.nn.Module)
    ]
    chosen = [*forwards[: MOST_ENTRIES - 1], *user[-1:]]
    for n, frame in dict(chosen).items():
        closed = {name: frame.f_locals.get(name, UNKNOWN) for name in frame.f_code.co_freevars}
        yield Entry(n, frame, {**frame.f_globals, **closed}, _inputs(levels, n, frame))


def _inputs(levels: Sequence[Level], index: int, frame: FrameType) -> dict[str, Any]:
    """What each parameter was given; UNKNOWN for one that has another value by now and cannot be found."""
    code = frame.f_code
    count = code.co_argcount + code.co_kwonlyargcount
    extra = bool(code.co_flags & 4) + bool(code.co_flags & 8)  # *args, **kwargs
    names = code.co_varnames[: count + extra]
    changed = _stored(levels[index])
    return {
        name: _given(levels, index, name) if name in changed else frame.f_locals.get(name, UNKNOWN)
        for name in names
    }


def _stored(level: Level) -> set[str]:
    nodes = ast.walk(level.function) if level.function is not None else ()
    return {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}


def _given(levels: Sequence[Level], index: int, name: str) -> Any:
    """What the caller passed for a parameter."""
    caller = levels[index - 1] if index else None
    if caller is None or caller.live is None:
        return UNKNOWN
    if caller.name in CALLS:
        return _passed(caller.live, levels[index], name)
    function = levels[index].function
    call = call_into(list(levels), index)
    if call is None or function is None:
        return UNKNOWN
    node = bind(call, function, is_bound(list(levels), index, call)).get(name)
    if not isinstance(node, ast.expr):
        return UNKNOWN
    try:
        return Evaluator(caller.live)(node)
    except Unevaluated:
        return UNKNOWN


def _passed(frame: FrameType, level: Level, name: str) -> Any:
    """Of a module: its caller in torch keeps positional and keyword arguments."""
    args, kwargs = frame.f_locals.get("args", ()), frame.f_locals.get("kwargs", {})
    if name in kwargs:
        return kwargs[name]
    code = level.live.f_code if level.live is not None else None
    names = code.co_varnames[1 : code.co_argcount] if code is not None else ()
    position = names.index(name) if name in names else len(args)
    return args[position] if position < len(args) else UNKNOWN
