"""Data loaders, the datasets behind them, and what a batch holds."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from keng.source.calls import Calls
from keng.source.classes import Classes
from keng.source.flow import Flow
from keng.source.project.trees import Trees
from keng.source.tree import FUNCTIONS, Definition, Function, Tree, part_at
from keng.source.types.infer import Types
from keng.source.types.kinds import UNKNOWN, Kind

Sum = Counter[str]
"""Whole numbers times what the program calls them, as `len(self.x)`; a plain number under ""."""
PLACE = "the index"
PICKED_ELSEWHERE = re.compile(rb"Subset|[Ss]ampler|collate|batch_size\s*=\s*(?:1|None)\b")
"""What may leave the last items out, or takes such as are shorter."""
COUNTS = re.compile(r"\blen\(|\.shape\[|\.size\(")
MINDS_THE_END = (ast.If, ast.IfExp, ast.Try, ast.While, ast.Mod)
MENDS_ITEMS = re.compile(r"pad|^(?:min|max|len|clip|clamp|zeros|full|minimum|interpolate|resize)$")


class Overrun(NamedTuple):
    """What `__getitem__` cuts out, past the end for the last indices; what `__len__` returns, and what it
    should, "" where that cannot be written there."""

    cut: ast.Subscript
    length: ast.expr
    wanted: str


class Loaders:
    def __init__(self, tree: Tree, trees: Trees) -> None:
        self.tree = tree
        self.trees = trees
        self.classes = trees.ask(Classes, tree)
        self.flow = trees.ask(Flow, tree)
        self.calls = trees.ask(Calls, tree)
        self.types = trees.ask(Types, tree)

    def of(self, tree: Tree) -> Loaders:
        """The same subject of another file."""
        return self if tree is self.tree else self.trees.ask(Loaders, tree)

    def datasets(self) -> Iterator[ast.ClassDef]:
        """The classes of this file that are Datasets, by their bases."""
        for owner in self.tree.nodes(ast.ClassDef):
            if self.types.kind_of_class(owner) is Kind.DATASET:
                yield owner

    def own_method(self, owner: ast.ClassDef, name: str) -> Function | None:
        """A method of a class or of its bases, where this file defines it."""
        found = self.classes.method(Definition(self.tree, owner), name)
        if found is None or found.tree is not self.tree or not isinstance(found.node, FUNCTIONS):
            return None
        return found.node

    def loader_made(self, node: ast.expr | None) -> ast.Call | None:
        """The call that made the DataLoader a loop goes through, wrapped or not."""
        while (
            isinstance(node, ast.Call) and node.args and self.types.kind_of(node) is not Kind.LOADER
        ):
            node = node.args[0]
        value = self.types.value_of(node) if node is not None else UNKNOWN
        return value.call if value.dotted == "torch.utils.data.DataLoader" else None

    def items_past_the_end(self) -> Iterator[Overrun]:
        """Of each data set, the first item that goes past the end of what its length is counted from."""
        if (
            b"__getitem__" not in self.tree.data
            or PICKED_ELSEWHERE.search(self.tree.data) is not None
        ):
            return
        for owner in self.datasets():
            getter, counter = (self.own_method(owner, n) for n in ("__getitem__", "__len__"))
            returned = self.tree.returns(counter) if counter is not None else []
            if getter is not None and len(returned) == 1 and not self._minds_the_end(getter):
                yield from islice(self._overruns(getter, returned[0]), 1)

    def _minds_the_end(self, getter: Function) -> bool:
        called = [
            self.calls.attribute_name(call.func) for call in self.tree.descendants(getter, ast.Call)
        ]
        return bool(self.tree.descendants(getter, *MINDS_THE_END)) or any(
            map(MENDS_ITEMS.search, called)
        )

    def _overruns(self, getter: Function, returned: ast.expr) -> Iterator[Overrun]:
        length = self._sum_of(returned)
        wholes = [name for name in length or () if name.endswith((")", "]"))]
        if length is None or len(wholes) != 1 or length[wholes[0]] != 1:
            return
        for cut in self.tree.descendants(getter, ast.Subscript):
            axes = cut.slice.elts if isinstance(cut.slice, ast.Tuple) else [cut.slice]
            for axis, places in enumerate(axes):
                end = self._end_of(places)
                if end is None or self._extent_of(cut.value, axis) != wholes[0]:
                    continue
                end.update(length)
                end.subtract({PLACE: 1, wholes[0]: 1, "": 1})
                if _is_above_zero(end):
                    wanted = length.copy()
                    wanted.subtract(end)
                    yield Overrun(cut, returned, self._as_length(wanted, wholes[0], returned))

    def _end_of(self, places: ast.expr) -> Sum | None:
        """One more than the last place that is taken, as the index and what is added to it."""
        last = places.upper if isinstance(places, ast.Slice) else places
        end = self._sum_of(last) if last is not None else None
        if end is None or end[PLACE] != 1 or getattr(places, "step", None) is not None:
            return None
        end[""] += not isinstance(places, ast.Slice)
        return end

    def _sum_of(self, node: ast.expr | None, depth: int = 8) -> Sum | None:
        """An expression as a sum; None where it is none."""
        match node if depth else None:
            case ast.Constant(value=int() as number):
                return Counter({"": number})
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as sign, right=right):
                one, other = self._sum_of(left, depth - 1), self._sum_of(right, depth - 1)
                if one is not None and other is not None:
                    (one.update if isinstance(sign, ast.Add) else one.subtract)(other)
                    return one
            case ast.Call(func=ast.Name(id="len"), args=[whole]):
                return Counter({self._extent_of(whole, 0): 1})
            case (
                ast.Call(func=ast.Attribute(attr="size", value=whole), args=[axis])
                | ast.Subscript(value=ast.Attribute(attr="shape", value=whole), slice=axis)
            ) if (along := self.flow.number(axis)) is not None:
                return Counter({self._extent_of(whole, along): 1})
            case ast.Attribute() as kept:
                return self._sum_kept(kept, depth - 1)
            case ast.Name() as name:
                value, called = self.flow.assigned_value(name), self._called(name)
                return self._sum_given(called, value or name, depth - 1)
        return None

    def _sum_kept(self, kept: ast.Attribute, depth: int) -> Sum | None:
        """What an attribute of `self` is, which the class sets once."""
        value = self._set_once(self.classes.self_class(kept.value), kept.attr)
        return self._sum_given(self.tree.text_of(kept), value, depth) if value is not None else None

    def _sum_given(self, called: str, value: ast.expr, depth: int) -> Sum | None:
        """The sum a value is: a size of its own where a call makes it, or it is taken from somewhere."""
        if isinstance(value, ast.Name) and self.flow.assigned_value(value) is None:
            return self._size_named(called, value)
        opaque = isinstance(value, (ast.Call, ast.Subscript))
        return self._sum_of(value, depth) or (Counter({called: 1}) if opaque else None)

    def _set_once(self, owner: ast.AST | None, name: str) -> ast.expr | None:
        given = self.classes.attributes(owner).get(name, []) if owner is not None else []
        return part_at(*given[0]) if len(given) == 1 else None

    def _size_named(self, called: str, name: ast.Name) -> Sum | None:
        """The index, or a size above one under its name, unless its default or a call makes it less."""
        found, function = self.flow.reaching_definitions(name), self.tree.enclosing_function(name)
        if len(found) != 1:
            return None
        if function is not None and function.name == "__getitem__" and found[0].how == "argument":
            return Counter({PLACE: 1})
        given = [
            self.flow.default_of(name),
            *(v for _, v in self.types.argument_values(found[0].node)),
        ]
        numbers = [self.flow.number(value) for value in given]
        small = any(number is not None and number < 2 for number in numbers)
        return None if small else Counter({called: 1})

    def _called(self, node: ast.expr) -> str:
        """What the methods of its class call a value: an argument of the constructor by the attribute that
        keeps it."""
        function = self.tree.enclosing_function(node)
        owner = self.tree.parent[function] if function is not None else None
        if owner is None or not isinstance(node, ast.Name):
            return self.tree.text_of(node)
        for name in self.classes.attributes(owner):
            kept = self._set_once(owner, name)
            if isinstance(kept, ast.Name) and self.flow.reaching_definitions(
                kept
            ) == self.flow.reaching_definitions(node):
                return f"self.{name}"
        return node.id

    def _extent_of(self, whole: ast.expr, axis: int) -> str:
        if isinstance(whole, ast.Attribute) and whole.attr in ("iloc", "values"):
            whole = whole.value
        return f"{self._called(whole)}.shape[{axis}]" if axis else f"len({self._called(whole)})"

    def _as_length(self, wanted: Sum, whole: str, returned: ast.expr) -> str:
        """A sum as `__len__` may return it, where that counts itself and can name all of it."""
        sizes = {name: count for name, count in wanted.items() if name not in ("", whole) and count}
        counts = COUNTS.search(self.tree.text_of(returned)) is not None
        if not counts or not all("self." in name for name in (whole, *sizes)):
            return ""
        parts = [f" {'-' if n < 0 else '+'} {_times(abs(n), name)}" for name, n in sizes.items()]
        number = wanted[""]
        rest = f" {'-' if number < 0 else '+'} {abs(number)}" if number else ""
        return f"{whole}{''.join(parts)}{rest}"


def _times(count: int, name: str) -> str:
    return name if count == 1 else f"{count} * {name}"


def _is_above_zero(total: Sum) -> bool:
    """Whether a sum surely is, where each size in it is above one."""
    sizes = [count for name, count in total.items() if name and count]
    return all(count > 0 for count in sizes) and total[""] + 2 * sum(sizes) > 0
