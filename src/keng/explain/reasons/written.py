"""Where the user wrote what the failing call was given: names followed through the user's own files.

A name leads to its assignment, the default of a parameter or the argument of the one call that gave it, a key
of a dictionary, a keyword of a configuration, or an option of `argparse`. Nothing is executed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from keng.explain.ownership.paths import PLUMBING
from keng.explain.reasons.calls import bind, call_into, default_of, last_name, parameters
from keng.explain.reasons.levels import Level
from keng.explain.reasons.origins import paired, stored_values, written
from keng.explain.reasons.source import Function, Source
from keng.model import Span

MOST_DEEP = 7
MOST_OWNERS = 4
MOST_STEPS = 300
LONGEST = 70


class Step(NamedTuple):
    """An expression that the user wrote: the statement or argument that it belongs to as text, its place, the
    name that has its value, and the expression."""

    text: str
    where: Span
    name: str
    node: ast.expr


class Written:
    """Follows names from call to call; the levels of the traceback say which call of several it was."""

    def __init__(self, levels: list[Level], sources: list[Source]) -> None:
        self._levels = levels
        self._sources = [source for source in sources if source.whole is not None]
        self._left = MOST_STEPS

    def paths(
        self, source: Source, node: ast.AST, before: tuple[Step, ...] = ()
    ) -> Iterator[tuple[Step, ...]]:
        """What the names in an expression were given, each followed by what that was made of: the step after
        those that led to it."""
        for step in self._next(source, node):
            self._left -= 1
            if self._left < 0 or len(before) > MOST_DEEP:
                return
            yield (*before, step)
            yield from self.paths(self._of(step, source), step.node, (*before, step))

    def _of(self, step: Step, source: Source) -> Source:
        return next((each for each in self._sources if each.path == step.where.path), source)

    def _next(self, source: Source, node: ast.AST) -> Iterator[Step]:
        match node:
            case ast.Name(id=name):
                yield from self._of_name(source, node, name)
            case ast.Subscript(value=owner, slice=ast.Constant(value=key)):
                found = list(self._of_key(source, owner, key))
                yield from found or self._next(source, owner)
            case ast.Attribute(value=owner, attr=name):
                yield from self._of_attribute(source, node, owner, name)
            case ast.Call(func=called):
                yield from self._of_call(source, node, called)
            case _:
                for child in ast.iter_child_nodes(node):
                    yield from self._next(source, child)

    def _of_call(self, source: Source, call: ast.Call, called: ast.expr) -> Iterator[Step]:
        """The object of the user's that is called, the arguments, and what a function of theirs returns."""
        if isinstance(called, ast.Attribute):
            own = isinstance(called.value, ast.Name) and called.value.id == "self"
            yield from self._next(source, called if own else called.value)
        elif not isinstance(called, ast.Name) or self._definition(called.id) is None:
            yield from self._next(source, called)
        for given in (*call.args, *(each.value for each in call.keywords)):
            keyword = next((each.arg for each in call.keywords if each.value is given), None)
            if keyword or isinstance(given, ast.Constant | ast.List | ast.Tuple | ast.UnaryOp):
                text = f"{keyword}=" if keyword else ""
                yield _step(source, given, text + written(source, given), keyword or "")
            else:
                yield from self._next(source, given)
        found = self._definition(last_name(called))
        for value in _returned(found[1]) if found is not None else ():
            yield _step(found[0], value, f"return {written(found[0], value)}", "")  # type: ignore[index]

    def _of_name(self, source: Source, node: ast.AST, name: str) -> Iterator[Step]:
        """The assignment above it in its function; else its parameter; else the one of the module."""
        tree = source.whole
        function = tree.function(node) if tree is not None else None
        line = getattr(node, "lineno", 0)
        while tree is not None and function is not None:
            given = _given_above(source, function, name, line)
            if given is not None:
                yield given
                return
            if name in parameters(function):
                yield from self._of_parameter(source, function, name)
                return
            function = tree.function(tree.parents.get(function))
        values = _given_in_module(source, name)
        if len(values) == 1:
            yield _assignment(source, values[0], name)
        elif isinstance(node, ast.Name) and values:
            above = [each for each in values if each.lineno < line]
            yield from (_assignment(source, each, name) for each in above[-1:])

    def _of_parameter(self, source: Source, function: Function, name: str) -> Iterator[Step]:
        call, at = self._running_call(source, function) or self._only_call(source, function)
        default = default_of(function, name)
        given = bind(call, function, _is_method(source, function)).get(name) if call else None
        if isinstance(given, ast.expr) and at is not None:
            if isinstance(given, ast.Constant):
                text = written(at, call) if call is not None else ""
                whole = text if len(text) <= LONGEST else f"{name}={written(at, given)}"
                yield _step(at, given, whole, name)
            else:
                yield from self._next(at, given)
        elif given is None and default is not None:
            yield _step(source, default, f"{name}={written(source, default)}", name)

    def _running_call(
        self, source: Source, function: Function
    ) -> tuple[ast.Call | None, Source | None] | None:
        for index, level in enumerate(self._levels):
            if level.source is not source or level.function is not function or not index:
                continue
            above = self._levels[index - 1]
            if above.user:
                return call_into(self._levels, index), above.source
            if level.name == "forward":
                return self._module_call(index)
        return None

    def _module_call(self, index: int) -> tuple[ast.Call, Source | None] | None:
        """The user's call of a module whose `forward` is a level, through torch's own `__call__`."""
        for above in reversed(self._levels[:index]):
            if above.user:
                node = above.failing()
                return (node, above.source) if isinstance(node, ast.Call) else None
            if above.name not in PLUMBING:
                return None
        return None

    def _only_call(
        self, source: Source, function: Function
    ) -> tuple[ast.Call | None, Source | None]:
        """The call of a function or class in the user's files, if there is only one."""
        name = getattr(function, "name", "")
        if name in ("__init__", "__post_init__"):
            name = source.owner(function.lineno)
        calls = [
            (node, each)
            for each in self._sources
            for node in (each.whole.nodes if each.whole is not None else ())
            if isinstance(node, ast.Call) and last_name(node.func) == name
        ]
        return calls[0] if len(calls) == 1 and name else (None, None)

    def _of_key(self, source: Source, owner: ast.expr, key: object) -> Iterator[Step]:
        for each, value in self._made(source, owner):
            pairs: list[tuple[ast.expr | None, ast.expr]] = []
            if isinstance(value, ast.Dict):
                pairs = list(zip(value.keys, value.values, strict=True))
            for said, node in pairs:
                if isinstance(said, ast.Constant) and said.value == key:
                    yield _step(
                        each, node, f"{written(each, said)}: {written(each, node)}", str(key)
                    )
            if isinstance(value, ast.Call) and last_name(value.func) == "dict":
                yield from _keyword(each, value, str(key))

    def _of_attribute(
        self, source: Source, node: ast.Attribute, owner: ast.expr, name: str
    ) -> Iterator[Step]:
        if isinstance(owner, ast.Name) and owner.id in ("self", "cls"):
            yield from _set_in_class(source, node, name)
            return
        found = [
            s for each, value in self._made(source, owner) for s in self._in(each, value, name)
        ]
        yield from found or self._next(source, owner)

    def _in(self, source: Source, value: ast.expr, name: str) -> Iterator[Step]:
        """An attribute of an object that a call made."""
        if not isinstance(value, ast.Call):
            return
        if last_name(value.func) in ("parse_args", "parse_known_args"):
            yield from _options(self._sources, name)
        else:
            yield from _keyword(source, value, name)

    def _made(self, source: Source, owner: ast.expr) -> Iterator[tuple[Source, ast.expr]]:
        """The expressions that made an object, through names and functions that return it."""
        if isinstance(owner, ast.Dict | ast.Call):
            yield source, owner
        for *before, step in self.paths(source, owner):
            if len(before) < MOST_OWNERS and isinstance(step.node, ast.Dict | ast.Call):
                yield self._of(step, source), step.node

    def _definition(self, name: str) -> tuple[Source, Function] | None:
        found = [
            (source, node)
            for source in self._sources
            for node in (source.whole.nodes if source.whole is not None else ())
            if isinstance(node, ast.FunctionDef) and node.name == name
        ]
        return found[0] if name and len(found) == 1 else None


def _step(source: Source, node: ast.expr, text: str, name: str) -> Step:
    return Step(text, Span(source.path, node.lineno), name, node)


def _assignment(source: Source, value: ast.expr, name: str) -> Step:
    parent = source.whole.parents.get(value) if source.whole is not None else None
    looped = isinstance(parent, ast.For)
    text = f"for {name} in " if looped else f"{name} = "
    return _step(source, value, text + written(source, value), name)


def _given_above(source: Source, function: Function, name: str, line: int) -> Step | None:
    """The last assignment to a name of a function above a line."""
    values = [
        v for node in ast.walk(function) for v in stored_values(node, name) if v.lineno < line
    ]
    tree = source.whole
    own = [v for v in values if tree is not None and tree.function(v) is function]
    return _assignment(source, max(own, key=lambda each: each.lineno), name) if own else None


def _given_in_module(source: Source, name: str) -> list[ast.expr]:
    """The values of a name outside of functions, first to last."""
    tree = source.whole
    nodes = [n for n in tree.nodes if tree.function(n) is None] if tree is not None else []
    return sorted((v for n in nodes for v in stored_values(n, name)), key=lambda each: each.lineno)


def _returned(function: Function) -> list[ast.expr]:
    found = [n.value for n in ast.walk(function) if isinstance(n, ast.Return)]
    return [each for each in found if each is not None] if len(found) == 1 else []


def _is_method(source: Source, function: Function) -> bool:
    tree = source.whole
    return tree is not None and isinstance(tree.parents.get(function), ast.ClassDef)


def _keyword(source: Source, call: ast.Call, name: str) -> Iterator[Step]:
    for each in call.keywords:
        if each.arg == name:
            yield _step(source, each.value, f"{name}={written(source, each.value)}", name)


def _set_in_class(source: Source, node: ast.AST, name: str) -> Iterator[Step]:
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
        yield _assignment(source, values[0], f"self.{name}")


def _options(sources: list[Source], name: str) -> Iterator[Step]:
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
                yield _step(source, default, text, name)
