"""Which argument of a call became which parameter, told from the source of both."""

from __future__ import annotations

import ast
from typing import NamedTuple, TypeAlias

from keng.explain.ownership.paths import PLUMBING
from keng.explain.reasons.levels import Level
from keng.explain.reasons.source import Function

RECEIVERS = ("self", "cls", "mcs")
CONSTRUCTORS = ("__init__", "__post_init__", "__new__", "__call__")


class Unpacked(NamedTuple):
    """A parameter that came out of `*args` (its index in it) or `**kwargs` (its name)."""

    index: int | None
    name: str
    node: ast.expr


Given: TypeAlias = "ast.expr | Unpacked"


def last_name(node: ast.AST) -> str:
    """`Adam` of `torch.optim.Adam`."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def parameters(function: Function) -> list[str]:
    arguments = function.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return [each.arg for each in every]


def positional(function: Function) -> list[str]:
    return [each.arg for each in (*function.args.posonlyargs, *function.args.args)]


def default_of(function: Function, name: str) -> ast.expr | None:
    arguments = function.args
    places = [*arguments.posonlyargs, *arguments.args]
    pairs = list(zip(reversed(places), reversed(arguments.defaults), strict=False))
    pairs += [(a, d) for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if d]
    return next((default for each, default in pairs if each.arg == name), None)


def has_receiver(function: Function) -> bool:
    """Whether the first parameter is the object or class that a method is called on."""
    static = any(
        last_name(each) == "staticmethod" for each in getattr(function, "decorator_list", ())
    )
    return positional(function)[:1] != [] and positional(function)[0] in RECEIVERS and not static


def call_into(levels: list[Level], index: int) -> ast.Call | None:
    """The call on the level above that entered a level. A subscript calls `__getitem__`."""
    level, above = levels[index], levels[index - 1]
    node = above.failing()
    if isinstance(node, ast.Subscript):
        return _of_subscript(node)
    if isinstance(node, ast.Call):
        return _inside(node, level) if _is_generator(level) else node
    if node is not None and level.live is not None:
        return None  # an operator, a loop, a `with`
    return _named_call(levels, index)


def _of_subscript(node: ast.Subscript) -> ast.Call:
    func = ast.Attribute(node.value, "__getitem__", ast.Load())
    call = ast.Call(func, [node.slice], [])
    return ast.fix_missing_locations(ast.copy_location(call, node))


def _is_generator(level: Level) -> bool:
    nodes = ast.walk(level.function) if level.function is not None else ()
    return any(isinstance(node, ast.Yield | ast.YieldFrom) for node in nodes)


def _inside(node: ast.Call, level: Level) -> ast.Call | None:
    """A generator runs where it is consumed: the call that made it may stand inside, as in `list(f(x))`."""
    calls = [each for each in ast.walk(node) if isinstance(each, ast.Call)]
    named = [each for each in calls if last_name(each.func) == level.name]
    return named[0] if len(named) == 1 else None


def _named_call(levels: list[Level], index: int) -> ast.Call | None:
    """The one call on the line that has the name of the function that was entered; else the only call."""
    above = levels[index - 1]
    calls = [node for node in above.nodes() if isinstance(node, ast.Call)]
    named = [call for call in calls if last_name(call.func) in _names(levels, index)]
    if len(named) == 1:
        return named[0]
    return calls[0] if len(calls) == 1 else None


def _names(levels: list[Level], index: int) -> set[str]:
    """What the entered function may be called; below wrappers also the function that they wrap."""
    names: set[str] = set()
    for level in levels[index:]:
        names.add(level.name)
        if level.name in CONSTRUCTORS:
            names.add(level.owner)
        if level.name not in PLUMBING and not level.name.startswith("wrap"):
            break
    return names - {""}


def bind(call: ast.Call, function: Function, bound: bool) -> dict[str, Given | list[ast.expr]]:
    """What each parameter was given; what `*args` of the function collects is a list."""
    places = positional(function)[bound:]
    given: dict[str, Given | list[ast.expr]] = {}
    rest = function.args.vararg.arg if function.args.vararg else ""
    for n, argument in enumerate(call.args):
        if isinstance(argument, ast.Starred):
            for k, name in enumerate(places[n:]):
                given[name] = Unpacked(k, name, argument.value)
            break
        if n < len(places):
            given[places[n]] = argument
        elif rest:
            collected = given.setdefault(rest, [])
            if isinstance(collected, list):
                collected.append(argument)
    for keyword in call.keywords:
        if keyword.arg is not None:
            given[keyword.arg] = keyword.value
            continue
        for name in (*places, *(each.arg for each in function.args.kwonlyargs)):
            given.setdefault(name, Unpacked(None, name, keyword.value))
    return given


def is_bound(call: ast.Call, function: Function, caller: Function | None) -> bool:
    """Whether the call leaves out the receiver. A wrapper, `wrapper(*args)`, passes it in `*args`."""
    if not has_receiver(function):
        return False
    first = call.args[0] if call.args else None
    if isinstance(first, ast.Starred) and isinstance(call.func, ast.Name):
        return caller is None or has_receiver(caller)
    explicit = isinstance(call.func, ast.Attribute) and last_name(call.func.value)[:1].isupper()
    return not (explicit and last_name(first) in RECEIVERS if first is not None else False)


def collects_receiver(levels: list[Level], index: int) -> bool:
    """Whether the `*args` of a level begin with the object that the wrapped method is called on."""
    function = levels[index].function
    below = levels[index + 1].function if index + 1 < len(levels) else None
    if function is None or positional(function) or below is None:
        return False
    return has_receiver(below)
