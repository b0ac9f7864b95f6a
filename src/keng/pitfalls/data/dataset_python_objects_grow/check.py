"""Source code: a dataset of many small Python objects is copied into every worker, page by page."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Hits, say
from keng.pitfalls.data._shared import forked_loaders
from keng.rules import finds
from keng.source import Code
from keng.source.tree import FUNCTIONS, member

MANY = 100_000


@finds
def many_small_objects(code: Code) -> Hits:
    for owner in code.loaders.datasets():
        for name, made in _lists_of_objects(code, owner, MANY):
            if forked_loaders(code, owner):
                says = say("each-worker-copies", name=name)
                yield code.hit(made, says)
        if b"append(" in code.tree.data:
            yield from _windows_listed(code, owner)


def _windows_listed(code: Code, owner: ast.ClassDef) -> Hits:
    """`self.items.append({"x": list(values[i : i + n])})` for each place of a series."""
    init = member(owner, ["__init__"])
    for call in code.below(init, ast.Call) if isinstance(init, FUNCTIONS) else ():
        name = _list_of_windows(code, call)
        if name and forked_loaders(code, owner):
            yield code.hit(call, say("each-worker-copies", name=name), sure=False)


def _list_of_windows(code: Code, call: ast.Call) -> str:
    """The attribute that gets a list of Python numbers in each round of a loop over places."""
    match call:
        case ast.Call(
            func=ast.Attribute(attr="append", value=ast.Attribute(attr=name)), args=[added]
        ):
            loop = code.around(call, ast.For)
            over = ast.unparse(loop.iter) if loop is not None else ""
            windows = any(_is_list_of_slice(each) for each in ast.walk(added))
            return name if over.startswith("range(len(") and windows else ""
    return ""


def _is_list_of_slice(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Name(id="list"), args=[ast.Subscript(slice=ast.Slice())]):
            return True
        case ast.Call(func=ast.Attribute(attr="tolist", value=ast.Subscript(slice=ast.Slice()))):
            return True
    return False


def _lists_of_objects(
    code: Code, owner: ast.ClassDef, many: int
) -> Iterator[tuple[str, ast.ListComp]]:
    """The lists of at least so many things that the constructor of a class puts on `self`."""
    for name, given in code.classes.attributes(owner).items():
        for value, _ in given:
            match value:
                case ast.ListComp(
                    generators=[ast.comprehension(iter=ast.Call(args=[*_, times]))]
                ) if (_times(code, times) or 0) >= many:
                    yield name, value


def _times(code: Code, node: ast.expr) -> int | None:
    """A whole number, as written or as the one call of a function of the project gives it."""
    found = code.flow.reaching_definitions(node) if isinstance(node, ast.Name) else []
    function = code.tree.enclosing_function(node)
    if len(found) != 1 or found[0].how != "argument" or function is None:
        return code.flow.number(node)
    calls = list(code.types.callers(function))
    if len(calls) != 1:
        return None
    tree, call = calls[0]
    return code.flow.of(tree).number(
        code.calls.of(tree).bound_argument(call, function, found[0].name)
    )
