"""Where the user wrote what the failing call was given: names followed through the user's own files.

A name leads to its assignment, the default of a parameter or the argument of the one call that gave it, a key
of a dictionary, a keyword of a configuration, or an option of `argparse`. Nothing is executed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeVar

from keng.explain.ownership.paths import PLUMBING
from keng.explain.reasons.assigned import (
    Pair,
    Step,
    assignment_of,
    call_text,
    collecting,
    every_returned,
    given_above,
    given_in_module,
    is_assigned,
    is_length,
    is_method,
    keyword_of,
    options,
    pairs_of_json,
    returned,
    set_in_class,
    step_of,
)
from keng.explain.reasons.calls import Unpacked, bind, call_into, default_of, last_name, parameters
from keng.explain.reasons.levels import Level
from keng.explain.reasons.origins import written
from keng.explain.reasons.source import Function, Source

MOST_DEEP = 7
MOST_OWNERS = 4
MOST_STEPS = 300
LONGEST = 70
LOADS = (
    *("enumerate", "DataLoader", "iter", "next", "list", "tqdm", "prepare", "Subset"),
    "TensorDataset",
)
"""Calls that hand on what each element of a dataset is."""
ITEMS = ("__getitem__", "__next__")

Node = TypeVar("Node", bound=ast.AST)


class Written:
    """Follows names from call to call; the levels of the traceback say which call of several it was."""

    def __init__(self, levels: list[Level], sources: list[Source]) -> None:
        self._levels = levels
        self._sources = [source for source in sources if source.whole is not None]
        self._left = MOST_STEPS

    def paths(
        self,
        source: Source,
        node: ast.AST,
        before: tuple[Step, ...] = (),
        part: int | None = None,
    ) -> Iterator[tuple[Step, ...]]:
        """What the names in an expression were given, each followed by what that was made of: the step after
        those that led to it."""
        for step in self._next(source, node, part):
            self._left -= 1
            if self._left < 0 or len(before) > MOST_DEEP:
                return
            yield (*before, step)
            inside = self._of(step, source)
            of = part if step.part is None and isinstance(node, ast.Name) else step.part
            yield from self.paths(inside, step.node, (*before, step), of)

    def _of(self, step: Step, source: Source) -> Source:
        return next((each for each in self._sources if each.path == step.where.path), source)

    def given(self, source: Source, node: ast.expr) -> Iterator[Step]:
        """What an expression was given, one step back."""
        return self._next(source, node)

    def source_of(self, step: Step) -> Source | None:
        return next((each for each in self._sources if each.path == step.where.path), None)

    def _next(self, source: Source, node: ast.AST, part: int | None = None) -> Iterator[Step]:
        match node:
            case ast.Name(id=name):
                yield from self._of_name(source, node, name)
            case ast.Subscript(value=owner, slice=ast.Constant(value=key)):
                found = list(self._of_key(source, owner, key))
                yield from found or self._next(source, owner)
            case ast.Attribute(value=owner, attr=name):
                yield from self._of_attribute(source, node, owner, name)
            case ast.Call(func=called):
                yield from self._of_call(source, node, called, part)
            case ast.Tuple(elts=elements) if part is not None and part < len(elements):
                yield from self._next(source, elements[part])
            case _:
                for child in ast.iter_child_nodes(node):
                    yield from self._next(source, child)

    def _of_call(
        self, source: Source, call: ast.Call, called: ast.expr, part: int | None
    ) -> Iterator[Step]:
        """The object of the user's that is called, the arguments, and what a function of theirs returns."""
        if isinstance(called, ast.Attribute):
            own = isinstance(called.value, ast.Name) and called.value.id == "self"
            yield from self._next(source, called if own else called.value)
        elif not isinstance(called, ast.Name) or self._definition(called.id) is None:
            yield from self._next(source, called)
        handed = part if last_name(called) in LOADS else None
        parted = last_name(called) == "TensorDataset" and part is not None
        for given in call.args[part : part + 1] if parted and part is not None else call.args:
            yield from self._of_argument(source, call, given, None if parted else handed)
        for keyword in call.keywords:
            yield from self._of_keyword(source, call, keyword)
        found = self._definition(last_name(called))
        for value in returned(found[1]) if found is not None else ():
            yield step_of(found[0], value, f"return {written(found[0], value)}", "", part)  # type: ignore[index]
        yield from self._items(last_name(called), part)

    def _of_argument(
        self, source: Source, call: ast.Call, given: ast.expr, part: int | None
    ) -> Iterator[Step]:
        plain = ast.Constant | ast.List | ast.Tuple | ast.UnaryOp | ast.BinOp
        if isinstance(given, plain) or is_length(given):
            yield step_of(source, given, call_text(source, call, given), "")
        else:
            yield from self._next(source, given, part)

    def _of_keyword(self, source: Source, call: ast.Call, keyword: ast.keyword) -> Iterator[Step]:
        if keyword.arg is not None:
            text = f"{keyword.arg}={written(source, keyword.value)}"
            yield step_of(source, keyword.value, text, keyword.arg)
            return
        for each, key, value, text in self._pairs(source, keyword.value):
            yield step_of(each, value, text, key)

    def _items(self, name: str, part: int | None) -> Iterator[Step]:
        """What a dataset of the user's gives for an index."""
        for source, node in self._nodes(ast.ClassDef):
            if node.name != name:
                continue
            for method in node.body:
                if isinstance(method, ast.FunctionDef) and method.name in ITEMS:
                    for value in every_returned(method):
                        yield step_of(source, value, f"return {written(source, value)}", "", part)

    def _of_name(self, source: Source, node: ast.AST, name: str) -> Iterator[Step]:
        """The assignment above it in its function; else its parameter; else the one of the module."""
        tree = source.whole
        function = tree.function(node) if tree is not None else None
        line = getattr(node, "lineno", 0)
        while tree is not None and function is not None:
            given = given_above(source, function, name, line)
            if given is not None:
                yield given
                return
            if name in parameters(function):
                yield from self._of_parameter(source, function, name)
                return
            if isinstance(node, ast.Name) and collecting(source, node) is function:
                for each, key, value, text in self._collected(source, function):
                    yield step_of(each, value, text, key)
                return
            function = tree.function(tree.parents.get(function))
        values = given_in_module(source, name)
        if len(values) == 1:
            yield assignment_of(source, values[0], name)
        elif isinstance(node, ast.Name) and values:
            above = [each for each in values if each.lineno < line]
            yield from (assignment_of(source, each, name) for each in above[-1:])

    def _of_parameter(self, source: Source, function: Function, name: str) -> Iterator[Step]:
        call, at = self._running_call(source, function) or self._only_call(source, function)
        default = default_of(function, name)
        given = bind(call, function, is_method(source, function)).get(name) if call else None
        if isinstance(given, ast.expr) and at is not None:
            if isinstance(given, ast.Constant):
                text = written(at, call) if call is not None else ""
                whole = text if len(text) <= LONGEST else f"{name}={written(at, given)}"
                yield step_of(at, given, whole, name)
            elif isinstance(given, ast.Call | ast.BinOp):
                yield step_of(at, given, written(at, given), name)
            else:
                yield from self._next(at, given)
        elif isinstance(given, Unpacked) and given.place is None and at is not None:
            yield from self._of_key(at, given.node, name)
        elif given is None and default is not None:
            yield step_of(source, default, f"{name}={written(source, default)}", name)

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
        for each, said, node, text in self._pairs(source, owner):
            if said == key:
                yield step_of(each, node, text, str(key))

    def _pairs(self, source: Source, owner: ast.expr, deep: int = 0) -> Iterator[Pair]:
        """The keys and values of a dictionary, as far as they are written out."""
        if deep > MOST_OWNERS:
            return
        function = collecting(source, owner)
        if function is not None:
            yield from self._collected(source, function, deep + 1)
            return
        for each, value in self._made(source, owner):
            if isinstance(value, ast.Dict):
                for said, node in zip(value.keys, value.values, strict=True):
                    if said is None:
                        yield from self._pairs(each, node, deep + 1)
                    elif isinstance(said, ast.Constant) and isinstance(said.value, str):
                        yield (
                            each,
                            said.value,
                            node,
                            f"{written(each, said)}: {written(each, node)}",
                        )
            elif isinstance(value, ast.Call) and last_name(value.func) == "dict":
                yield from self._given_by_name(each, value, deep)
            elif isinstance(value, ast.Call) and last_name(value.func) == "loads":
                yield from self._of_text(each, value)

    def _of_text(self, source: Source, call: ast.Call) -> Iterator[Pair]:
        """The keys of a JSON text that stands in the program."""
        text = call.args[0] if call.args else None
        if isinstance(text, ast.Constant):
            yield from pairs_of_json(source, text)
        elif isinstance(text, ast.Name):
            for step in self._next(source, text):
                if isinstance(step.node, ast.Constant):
                    yield from pairs_of_json(self._of(step, source), step.node)

    def _given_by_name(self, source: Source, call: ast.Call, deep: int) -> Iterator[Pair]:
        for each in call.keywords:
            if each.arg is None:
                yield from self._pairs(source, each.value, deep + 1)
            else:
                text = f"{each.arg}={written(source, each.value)}"
                yield source, each.arg, each.value, text

    def _collected(self, source: Source, function: Function, deep: int = 0) -> Iterator[Pair]:
        """What `**kwargs` of a function of the user's were given."""
        call, at = self._running_call(source, function) or self._only_call(source, function)
        if call is None or at is None:
            return
        named = parameters(function)
        for pair in self._given_by_name(at, call, deep):
            if pair[1] not in named:
                yield pair

    def _of_attribute(
        self, source: Source, node: ast.Attribute, owner: ast.expr, name: str
    ) -> Iterator[Step]:
        if isinstance(owner, ast.Name) and owner.id in ("self", "cls"):
            yield from set_in_class(source, node, name)
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
            yield from options(self._sources, name)
            return
        given = list(keyword_of(source, value, name))
        yield from given or self._field(last_name(value.func), name)

    def _field(self, kind: str, name: str) -> Iterator[Step]:
        """The default of a field of a dataclass of the user's."""
        for source, node in self._nodes(ast.ClassDef):
            for each in node.body if node.name == kind else ():
                if not isinstance(each, ast.AnnAssign) or each.value is None:
                    continue
                if isinstance(each.target, ast.Name) and each.target.id == name:
                    yield step_of(source, each.value, written(source, each), name)

    def _made(
        self, source: Source, owner: ast.expr, deep: int = 0
    ) -> Iterator[tuple[Source, ast.expr]]:
        """The expressions that made an object, through names and functions that return it."""
        if isinstance(owner, ast.Dict):
            yield source, owner
        elif isinstance(owner, ast.Call):
            found = self._definition(last_name(owner.func))
            for value in returned(found[1]) if found is not None and deep < MOST_OWNERS else ():
                yield from self._made(found[0], value, deep + 1)  # type: ignore[index]
            if found is None:
                yield source, owner
        elif isinstance(owner, ast.Name | ast.Attribute | ast.Subscript) and deep < MOST_OWNERS:
            for at, given in self._values(source, owner):
                yield from self._made(at, given, deep + 1)

    def _values(self, source: Source, owner: ast.expr) -> Iterator[tuple[Source, ast.expr]]:
        """What a name was given, a parameter by its caller."""
        tree = source.whole
        if isinstance(owner, ast.Name) and tree is not None:
            function = tree.function(owner)
            given = function and given_above(source, function, owner.id, owner.lineno)
            own = function is not None and not given
            if function is not None and own and owner.id in parameters(function):
                call, at = self._running_call(source, function) or self._only_call(source, function)
                bound = bind(call, function, is_method(source, function)) if call else {}
                argument = bound.get(owner.id)
                if isinstance(argument, ast.expr) and at is not None:
                    yield at, argument
                return
        for step in self._next(source, owner):
            yield self._of(step, source), step.node

    def _nodes(self, kind: type[Node]) -> Iterator[tuple[Source, Node]]:
        for source in self._sources:
            for node in source.whole.nodes if source.whole is not None else ():
                if isinstance(node, kind):
                    yield source, node

    def calls(self, name: str) -> Iterator[tuple[Source, ast.Call]]:
        """The calls of a class or function in the user's files."""
        for source, node in self._nodes(ast.Call):
            if last_name(node.func) == name:
                yield source, node

    def assigned_calls(self, name: str) -> Iterator[tuple[Source, ast.Call]]:
        """The calls whose result is assigned to a name or an attribute of that name."""
        for source, node in self._nodes(ast.Call):
            if is_assigned(source, node, name):
                yield source, node

    def _definition(self, name: str) -> tuple[Source, Function] | None:
        found = [
            (source, node)
            for source in self._sources
            for node in (source.whole.nodes if source.whole is not None else ())
            if isinstance(node, ast.FunctionDef) and node.name == name
        ]
        return found[0] if name and len(found) == 1 else None
