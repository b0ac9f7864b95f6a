"""Which argument of a call became which parameter, told from the source of both."""

from __future__ import annotations

import ast
from types import FunctionType, MethodType
from typing import NamedTuple, TypeAlias

from keng.explain.ownership.paths import PLUMBING
from keng.explain.reasons.levels import Level
from keng.explain.reasons.source import Function

RECEIVERS = ("self", "cls", "mcs")
CONSTRUCTORS = ("__init__", "__post_init__", "__new__", "__call__")


class Unpacked(NamedTuple):
    """A parameter that came out of `*args` (its place in it) or `**kwargs` (its name)."""

    place: int | None
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
    """The call on the level above that entered a level. A subscript, an operator and an assignment to an
    attribute call a method."""
    level, above = levels[index], levels[index - 1]
    node = above.failing()
    if isinstance(node, ast.Call):
        return _inside(node, level) if _is_generator(level) else node
    made = _operator_call(node, level, above) if node is not None else None
    if made is not None:
        return made
    if node is not None and level.live is not None:
        return None  # a loop, a `with`
    return _named_call(levels, index)


def _operator_call(node: ast.AST, level: Level, above: Level) -> ast.Call | None:
    owner: ast.expr
    match node:
        case ast.Subscript(value=owner, slice=argument):
            given = [argument]
        case ast.Compare(left=owner, ops=[_], comparators=[argument]):
            given = [argument]
        case ast.BinOp(left=owner, right=argument):
            given = [argument]
        case ast.Attribute(value=owner, ctx=ast.Store()):
            statement = above.tree.statement(node) if above.tree is not None else None
            if not isinstance(statement, ast.Assign):
                return None
            given = [statement.value]
            if level.name == "__setattr__":
                given.insert(0, ast.Constant(node.attr))
        case _:
            return None
    call = ast.Call(ast.Attribute(owner, level.name, ast.Load()), given, [])
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
    if len(calls) == 1 and _may_enter(levels[index], above, calls[0]):
        return calls[0]
    return _named_operator(levels[index], above) if not calls else None


def _named_operator(level: Level, above: Level) -> ast.Call | None:
    """The one operator or subscript on the line, if a method of an operator was entered."""
    kinds = ast.Compare | ast.BinOp | ast.Subscript
    nodes = [node for node in above.nodes() if isinstance(node, kinds)]
    special = level.name.startswith("__") and level.name.endswith("__")
    return _operator_call(nodes[0], level, above) if special and len(nodes) == 1 else None


def _may_enter(level: Level, above: Level, call: ast.Call) -> bool:
    """Whether a call of another name may enter a function: an object is called, a class is made, or a
    wrapper passes on what it was given."""
    if level.name in PLUMBING or level.name == "forward":
        return True
    if _is_wrapper(above) and _passes_on(call):
        return True
    made = last_name(call.func)[:1].isupper() or not last_name(call.func)
    return level.name == "__call__" or (level.name in CONSTRUCTORS and made)


def _names(levels: list[Level], index: int) -> set[str]:
    """What the entered function may be called; below wrappers also the function that they wrap."""
    names: set[str] = set()
    for level in levels[index:]:
        names.add(level.name)
        if level.name in CONSTRUCTORS:
            names.add(level.owner)
        if level.name not in PLUMBING and not _is_wrapper(level):
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


def is_bound(levels: list[Level], index: int, call: ast.Call) -> bool:
    """Whether the call leaves out the first parameter of the function that it enters, as calls of methods and
    constructors do."""
    return takes_receiver(levels, index) and not _passes_receiver(levels, index, call)


def takes_receiver(levels: list[Level], index: int) -> bool:
    """Whether the first parameter of a level is the object that it is called on. A wrapper may call it as it
    likes: it passes it on to the method."""
    function = levels[index].function
    if function is None:
        return False
    if has_receiver(function):
        return True
    first = positional(function)[:1]
    below = _call_below(levels, index)
    passed = below.args[0] if first and below is not None and below.args else None
    return isinstance(passed, ast.Name) and [passed.id] == first


def collects_receiver(levels: list[Level], index: int) -> bool:
    """Whether the `*args` of a wrapper begin with the object that the wrapped method is called on."""
    function = levels[index].function
    below = _call_below(levels, index)
    if function is None or positional(function) or below is None:
        return False
    return bool(below.args) and isinstance(below.args[0], ast.Starred)


def _call_below(levels: list[Level], index: int) -> ast.Call | None:
    """The call of a plain function, `func(*args)`, on a level that enters a method."""
    if index + 1 >= len(levels) or not _is_wrapper(levels[index]):
        return None
    function = levels[index + 1].function
    if function is None or not has_receiver(function):
        return None
    call = call_into(levels, index + 1)
    return call if call is not None and _passes_receiver(levels, index + 1, call) else None


def _is_wrapper(level: Level) -> bool:
    function = level.function
    return function is not None and bool(function.args.vararg or function.args.kwarg)


def _passes_on(call: ast.Call) -> bool:
    starred = any(isinstance(each, ast.Starred) for each in call.args)
    return starred or any(keyword.arg is None for keyword in call.keywords)


def _passes_receiver(levels: list[Level], index: int, call: ast.Call) -> bool:
    """Whether a call of a method gives the object itself: `Base.__init__(self, x)`, or in a wrapper
    `func(*args)`; not if `func` is bound already."""
    caller = levels[index - 1]
    first = call.args[0] if call.args else None
    if isinstance(call.func, ast.Attribute):
        owner = last_name(call.func.value)
        return owner[:1].isupper() and first is not None and last_name(first) in RECEIVERS
    if not isinstance(call.func, ast.Name) or levels[index].name in CONSTRUCTORS:
        return False
    if caller.live is not None:
        value = caller.live.f_locals.get(call.func.id, caller.live.f_globals.get(call.func.id))
        if type(value) in (FunctionType, MethodType):
            return type(value) is FunctionType
    if caller.function is None or not _is_wrapper(caller):
        return False
    if isinstance(first, ast.Starred):
        return not has_receiver(caller.function)
    return isinstance(first, ast.Name) and first.id in positional(caller.function)[:1]
