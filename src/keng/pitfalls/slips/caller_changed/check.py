"""Source code: a forward writes into what its caller gave it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from textwrap import shorten

from keng.model import Hits, say
from keng.pitfalls.slips._shared import collected
from keng.rules import finds
from keng.source import Code, Kind
from keng.source.tree import Function, names_in

FARTHEST = 3
"""Names from one to the entry that it is."""


@finds(mentions=["forward"])
def caller_sees_the_change(code: Code) -> Hits:
    for function in code.of(ast.FunctionDef):
        if function.name == "forward" and code.types.enclosing_module(function.body[0]) is not None:
            for node, name in _items_replaced(code, function):
                yield code.hit(node, say("items", name=name))
            for node, name, holder in _elements_added_to(code, function):
                yield code.hit(node, say("elements", name=name, holder=holder))


@finds
def state_changed_by_function(code: Code) -> Hits:
    """`update = state["momentum"]; update = project(p, update)`, where `project` changes its argument in place."""
    if b"state[" not in code.tree.data or b"Optimizer" not in code.tree.data:
        return
    for call in code.of(ast.Call):
        for given in call.args:
            if not isinstance(given, ast.Name) or not (key := _state_behind(code, given)):
                continue
            if name := _changed_in_place(code, call, given):
                values = {"name": code.text_of(given), "state": key, "parameter": name}
                yield code.hit(given, say("state", function=code.text_of(call.func), **values))


def _state_behind(code: Code, name: ast.Name, depth: int = FARTHEST) -> str:
    """The entry of an optimizer's state that a name is on one way, itself and no copy, and a new tensor on
    another: a function that is to change the state would get it on both."""
    found = code.flow.reaching_definitions(name)
    if depth == FARTHEST and not any(isinstance(b.value, ast.BinOp) for b in found):
        return ""
    for binding in found:
        match binding.value:
            case ast.Subscript(value=ast.Name(id="state")) as entry if binding.how == "assign":
                return ast.unparse(entry) if not binding.path else ""
            case ast.Name() as other if depth and binding.how == "assign":
                if entry_text := _state_behind(code, other, depth - 1):
                    return entry_text
    return ""


def _changed_in_place(code: Code, call: ast.Call, given: ast.Name) -> str:
    """The parameter of a function of the project that gets a value, changes it in place and returns it."""
    function = code.types.definition(call.func)
    if function is None or isinstance(function.node, ast.ClassDef):
        return ""
    there, node = code.at(function.tree), function.node
    for parameter in there.tree.parameters(node):
        if there.calls.bound_argument(call, node, parameter.arg) is not given:
            continue
        returned = any(
            isinstance(n, ast.Name) and n.id == parameter.arg
            for value in there.tree.returns(node)
            for n in ast.walk(value)
        )
        if returned and any(
            _changes(there, each, parameter.arg)
            for each in there.below(node, ast.AugAssign, ast.Call)
        ):
            return parameter.arg
    return ""


def _changes(code: Code, node: ast.AST, name: str) -> bool:
    """Whether a statement writes into what a function was given under a name."""
    match node:
        case ast.AugAssign(target=ast.Name() as target) if target.id == name:
            return _is_argument(code, target)
        case ast.Call(func=ast.Attribute(value=ast.Name() as of, attr=method)) if of.id == name:
            return method.endswith("_") and not method.endswith("__") and _is_argument(code, of)
    return False


def _items_replaced(code: Code, forward: Function) -> Iterator[tuple[ast.AST, str]]:
    """`for key, x in given.items(): given[key] = ...`, where `given` is an argument that is not returned."""
    arguments = {a.arg for a in code.tree.parameters(forward)} - {"self"}
    for loop in code.below(forward, ast.For):
        match loop.iter:
            case ast.Call(func=ast.Attribute(attr="items", value=ast.Name() as given), args=[]):
                pass
            case _:
                continue
        if (
            given.id not in arguments
            or not _is_argument(code, given)
            or _is_returned(code, forward, given)
        ):
            continue
        keys = names_in(loop.target)
        for assigned in code.below(loop, ast.Assign):
            match assigned.targets:
                case [ast.Subscript(value=ast.Name(id=name), slice=ast.Name(id=key))]:
                    if name == given.id and key in keys:
                        yield assigned, name


def _is_argument(code: Code, name: ast.Name) -> bool:
    found = code.flow.reaching_definitions(name)
    return len(found) == 1 and found[0].how == "argument"


def _is_returned(code: Code, forward: Function, given: ast.Name) -> bool:
    """Whether a forward hands out the very object: to change it is then what the caller expects."""
    for value in code.tree.returns(forward):
        parts = value.elts if isinstance(value, ast.Tuple) else [value]
        if any(
            isinstance(p, ast.Name) and p.id == given.id and _is_argument(code, p) for p in parts
        ):
            return True
    return False


def _elements_added_to(code: Code, forward: Function) -> Iterator[tuple[ast.AST, str, str]]:
    """`for x, y in zip(given, more): x += y; new.append(x)`: a new list of the old, changed tensors."""
    for loop in code.below(forward, ast.For):
        names = names_in(loop.target)
        for changed in code.below(loop, ast.AugAssign):
            match changed.target:
                case ast.Name(id=name) if name in names and collected(code, loop, name):
                    kind = code.types.kind_of(changed.value)
                    if kind is not Kind.NUMBER and not _copied_before(code, loop, changed, name):
                        yield changed, name, shorten(code.text_of(loop.iter), 60)


def _copied_before(code: Code, loop: ast.For, changed: ast.AugAssign, name: str) -> bool:
    """Whether a round gives a name something else before it changes that: `x = x.clone()`."""
    before = [a for a in code.below(loop, ast.Assign) if a.lineno < changed.lineno]
    return any(isinstance(t, ast.Name) and t.id == name for a in before for t in a.targets)
