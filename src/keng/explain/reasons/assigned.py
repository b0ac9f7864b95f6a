"""Where one file gives a name its value: the assignment, keyword, field or option that is written."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from keng.explain.reasons.calls import last_name
from keng.explain.reasons.origins import paired, stored_values, written
from keng.explain.reasons.source import Function, Source
from keng.model import Span

LONGEST_CALL = 60

Pair: TypeAlias = "tuple[Source, str, ast.expr, str]"
"""A key, its value, and both as text, with the file that they are in."""


class Step(NamedTuple):
    """An expression that the user wrote: the statement or argument that it belongs to as text, its place, the
    name that has its value, and the expression. `part` is the place of the name in a tuple."""

    text: str
    where: Span
    name: str
    node: ast.expr
    part: int | None = None


def is_assigned(source: Source, call: ast.Call, name: str) -> bool:
    parent = source.whole.parents.get(call) if source.whole is not None else None
    targets = parent.targets if isinstance(parent, ast.Assign) else []
    return any(last_name(target) == name for target in targets)


def step_of(source: Source, node: ast.expr, text: str, name: str, part: int | None = None) -> Step:
    return Step(text, Span(source.path, node.lineno), name, node, part)


def collecting(source: Source, node: ast.expr) -> Function | None:
    """The function whose `**kwargs` a name is."""
    tree = source.whole
    function = tree.function(node) if tree is not None and isinstance(node, ast.Name) else None
    rest = function.args.kwarg if function is not None else None
    return function if rest is not None and rest.arg == getattr(node, "id", "") else None


def is_length(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and last_name(node.func) == "len"


def call_text(source: Source, call: ast.Call, given: ast.expr) -> str:
    """A call on one line with the argument in it; of a long one the argument."""
    text = written(source, call)
    return text if len(text) <= LONGEST_CALL else written(source, given)


def pairs_of_json(source: Source, text: ast.Constant) -> Iterator[Pair]:
    if not isinstance(text.value, str):
        return
    try:
        held = json.loads(text.value)
    except (ValueError, RecursionError):
        return
    for key, value in held.items() if type(held) is dict else ():
        node = ast.copy_location(ast.Constant(value), text)
        yield source, key, node, f"{json.dumps(key)}: {json.dumps(value)}"


def assignment_of(source: Source, value: ast.expr, name: str) -> Step:
    parent = source.whole.parents.get(value) if source.whole is not None else None
    looped = isinstance(parent, ast.For)
    text = f"for {name} in " if looped else f"{name} = "
    return step_of(source, value, text + written(source, value), name, part_of(parent, name))


def part_of(statement: ast.AST | None, name: str) -> int | None:
    """The place of a name in the tuple that a statement unpacks, the innermost one."""
    targets = getattr(statement, "targets", None) or [getattr(statement, "target", None)]
    for target in targets:
        for each in ast.walk(target) if target is not None else ():
            if isinstance(each, ast.Tuple | ast.List):
                names = [getattr(e, "id", "") for e in each.elts]
                if name in names:
                    return names.index(name)
    return None


def given_above(source: Source, function: Function, name: str, line: int) -> Step | None:
    """The last assignment to a name of a function above a line."""
    values = [
        v for node in ast.walk(function) for v in stored_values(node, name) if v.lineno < line
    ]
    tree = source.whole
    own = [v for v in values if tree is not None and tree.function(v) is function]
    return assignment_of(source, max(own, key=lambda each: each.lineno), name) if own else None


def given_in_module(source: Source, name: str) -> list[ast.expr]:
    """The values of a name outside of functions, first to last."""
    tree = source.whole
    nodes = [n for n in tree.nodes if tree.function(n) is None] if tree is not None else []
    return sorted((v for n in nodes for v in stored_values(n, name)), key=lambda each: each.lineno)


def every_returned(function: Function) -> list[ast.expr]:
    found = [n.value for n in ast.walk(function) if isinstance(n, ast.Return)]
    return [each for each in found if each is not None]


def returned(function: Function) -> list[ast.expr]:
    """Of a function with one `return`."""
    found = every_returned(function)
    return found if len(found) == 1 else []


def is_method(source: Source, function: Function) -> bool:
    tree = source.whole
    return tree is not None and isinstance(tree.parents.get(function), ast.ClassDef)


def keyword_of(source: Source, call: ast.Call, name: str) -> Iterator[Step]:
    for each in call.keywords:
        if each.arg == name:
            yield step_of(source, each.value, f"{name}={written(source, each.value)}", name)


def set_in_class(source: Source, node: ast.AST, name: str) -> Iterator[Step]:
    """What the methods of the class around a node assign to `self.name`, if that is done once."""
    tree = source.whole
    at: ast.AST | None = node
    while tree is not None and at is not None and not isinstance(at, ast.ClassDef):
        at = tree.parents.get(at)
    values = [
        value
        for each in (ast.walk(at) if at is not None else ())
        if isinstance(each, ast.Assign)
        for target, value in paired(each.targets, each.value)
        if isinstance(target, ast.Attribute) and ast.unparse(target) == f"self.{name}"
    ]
    if len(values) == 1:
        yield assignment_of(source, values[0], f"self.{name}")


def options(sources: list[Source], name: str) -> Iterator[Step]:
    """The default of an option of the command line."""
    for source in sources:
        for node in source.whole.nodes if source.whole is not None else ():
            if not (isinstance(node, ast.Call) and last_name(node.func) == "add_argument"):
                continue
            said = [
                str(a.value)
                for a in node.args
                if isinstance(a, ast.Constant) and isinstance(a.value, str)
            ]
            given = {each.arg: each.value for each in node.keywords}
            stored = given.get("dest")
            names = [each.lstrip("-").replace("-", "_") for each in said]
            named = stored.value == name if isinstance(stored, ast.Constant) else name in names
            default = given.get("default")
            if named and default is not None:
                text = f"{said[-1]}, default={written(source, default)}"
                yield step_of(source, default, text, name)
