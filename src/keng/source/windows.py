"""A layer of Code: windows that are cut out of a series one place apart, and how they are split."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.source.index import FUNCTIONS
from keng.source.names import Definition
from keng.source.parting import BY_LENGTHS, BY_ROWS, SUBSET, TO_TRAIN, Parting, is_held_out
from keng.source.values import Kind

DRAWS = ("randperm", "permutation", "sample")
SAMPLER = "torch.utils.data.SubsetRandomSampler"
VIEWS = "numpy.lib.stride_tricks.sliding_window_view"


class Windows(Parting):
    def windows_split_at_random(self) -> Iterator[tuple[ast.expr, str, str]]:
        """Parts for a test that are drawn at random from windows which overlap: where, the name of the part,
        and how a window is cut."""
        for place, whole, name in self._drawn_apart():
            for code, node in self.sources(whole):
                if isinstance(node, ast.Subscript) or code.me.taken_from(node) is not None:
                    break
                if cut := code.me.cut_by_one(node):
                    yield place, name, cut
                    break

    def _drawn_apart(self) -> Iterator[tuple[ast.expr, ast.expr, str]]:
        """What parts of a data set are drawn at random: where, the whole, and the name of that for a test."""
        for call in self.calls_to(BY_ROWS, BY_LENGTHS):
            part = next(filter(is_held_out, self.names_of_parts(call)), "")
            if part and call.args and self._draws(call):
                yield call, call.args[0], part
        for held in self.held_out():
            rows = self._rows_of(held.by)
            if rows is not None and self._are_drawn(rows):
                yield held.by, held.whole[0], held.name
        for call in self.calls_to(SAMPLER):
            loader = self._loader_with(call)
            made = self.parent[loader] if loader is not None else None
            name = getattr(made.targets[0], "id", "") if isinstance(made, ast.Assign) else ""
            if loader is None or not is_held_out(name) or not call.args or not loader.args:
                continue
            if self._trains_on_too(loader.args[0]) and self._are_drawn(call.args[0]):
                yield call, loader.args[0], name

    def _trains_on_too(self, data: ast.expr) -> bool:
        """Whether a loader that is named for training takes its batches from this data set as well."""
        return any(
            bool(loader.args)
            and self._holds_the_same(loader.args[0], data)
            and TO_TRAIN.search(
                ast.unparse(getattr(self.parent[loader], "targets", [loader])[0]).lower()
            )
            for loader in self.calls_to("torch.utils.data.DataLoader")
        )

    def _draws(self, split: ast.Call) -> bool:
        """Whether a split takes rows at random, as it does unless it is told not to."""
        told = [k for k in split.keywords if k.arg in ("shuffle", None)]
        return all(self.me.is_constant(k.value, True) for k in told)

    def _loader_with(self, sampler: ast.Call) -> ast.Call | None:
        for loader in self.calls_to("torch.utils.data.DataLoader"):
            if self.me.value_of_call(self.argument(loader, "sampler", 4)) is sampler:
                return loader
        return None

    def _rows_of(self, taken: ast.expr) -> ast.expr | None:
        if isinstance(taken, ast.Subscript):
            return taken.slice
        subset = isinstance(taken, ast.Call) and self.resolve(taken.func) == SUBSET
        return (
            self.argument(taken, "indices", 1) if subset and isinstance(taken, ast.Call) else None
        )

    def _are_drawn(self, rows: ast.expr | None, depth: int = 8) -> bool:
        """Whether numbers of rows come from a permutation, or from a list that is shuffled."""
        if not depth:
            return False
        match rows:
            case ast.Name():
                found = self.reaching(rows)
                if len(found) != 1 or found[0].how != "assign":
                    return False
                value, path = found[0].value, found[0].path
                if isinstance(value, ast.Tuple) and path and path[0] < len(value.elts):
                    value = value.elts[path[0]]
                return self._is_shuffled(rows) or self._are_drawn(value, depth - 1)
            case ast.Subscript(value=inner, slice=ast.Slice()):
                return self._are_drawn(inner, depth - 1)
            case ast.Call(func=ast.Attribute(attr="tolist" | "numpy", value=inner)):
                return self._are_drawn(inner, depth - 1)
            case ast.Call(args=[first, *_]) if self.resolve(rows.func) == "builtins.list":
                return self._are_drawn(first, depth - 1)
            case ast.Call() if self.resolve(rows.func) == BY_ROWS:
                return self._draws(rows)
            case ast.Call():
                return self.written_name(rows.func) in DRAWS
        return False

    def _is_shuffled(self, name: ast.Name) -> bool:
        return any(
            bool(call.args)
            and self._holds_the_same(call.args[0], name)
            and self.position(call) < self.position(name)
            for call in self.method_calls("shuffle")
        )

    def cut_by_one(self, node: ast.expr) -> str:
        """How windows are cut of which each begins one place behind the one before it and goes further than
        that; "" for all else."""
        match node:
            case ast.Name():
                added = self.me.added_to(node)
                return next(filter(None, map(self._cut_in_rounds, added)), "")
            case ast.ListComp(elt=each, generators=[*_, last]):
                return self._cut_in(each, last.target) if self._counts_by_one(last.iter) else ""
            case ast.Call(func=ast.Attribute(attr="unfold"), args=[_, size, step]):
                small = self.me.number(step) == 1 and self.me.number(size) != 1
                return self.text_of(node) if small else ""
            case ast.Call() if self.resolve(node.func) == VIEWS:
                return self.text_of(node)
            case ast.Call() if (made := self.value_of(node)).kind is Kind.DATASET:
                if 1 in map(self.me.number, (*node.args, *(k.value for k in node.keywords))):
                    return ""  # windows of one, perhaps
                return (
                    made.definition.code.me._served_by_one(made.definition)
                    if made.definition
                    else ""
                )
        return ""

    def _cut_in_rounds(self, added: ast.expr) -> str:
        """How what a round of a loop adds is cut, where the loop counts by one."""
        loop = self.around(added, ast.For)
        if loop is None or not self._counts_by_one(loop.iter):
            return ""
        return self._cut_in(self.assigned(added) or added, loop.target)

    def _counts_by_one(self, through: ast.expr) -> bool:
        """`range(n)`, or one whose step is 1."""
        if not isinstance(through, ast.Call) or self.resolve(through.func) != "builtins.range":
            return False
        return len(through.args) < 3 or self.me.number(through.args[2]) == 1

    def _served_by_one(self, owner: Definition) -> str:
        """How the items of a data set are cut, where their number is that of the places less a window."""
        serving, length = self.method(owner, "__getitem__"), self.method(owner, "__len__")
        if serving is None or length is None or not isinstance(serving.node, FUNCTIONS):
            return ""
        arguments = serving.code.arguments(serving.node)
        ends = length.code.returns(length.node)
        if len(arguments) != 2 or len(ends) != 1 or not length.code.me._is_less(ends[0]):
            return ""
        return serving.code.me._cut_in(serving.node, arguments[1])

    def _is_less(self, length: ast.expr) -> bool:
        """Whether a number of items is a difference, and no share."""
        owner = self.self_class(length.value) if isinstance(length, ast.Attribute) else None
        if owner is not None and isinstance(length, ast.Attribute):
            given = self.attributes(owner).get(length.attr, [])
            length = given[0][0] or length if len(given) == 1 else length
        parts = [n.op for n in ast.walk(length) if isinstance(n, ast.BinOp)]
        shares = any(isinstance(op, (ast.FloorDiv, ast.Div, ast.Mult)) for op in parts)
        return any(isinstance(op, ast.Sub) for op in parts) and not shares

    def _cut_in(self, node: ast.AST, place: ast.expr | ast.arg) -> str:
        """The first `series[i : i + window]` in a node where `i` is that place, and the window is not known
        to be of one."""
        name = getattr(place, "id", getattr(place, "arg", ""))
        for cut in ast.walk(node):
            if not isinstance(cut, ast.Subscript):
                continue
            axes = cut.slice.elts if isinstance(cut.slice, ast.Tuple) else [cut.slice]
            for axis in axes:
                if isinstance(axis, ast.Slice) and self._goes_on_from(axis, name, place):
                    inside = {n.id for n in ast.walk(cut.value) if isinstance(n, ast.Name)}
                    return "" if name in inside else self.text_of(cut)
        return ""

    def _goes_on_from(self, axis: ast.Slice, name: str, place: ast.AST) -> bool:
        """Whether a slice begins at a place and ends a window behind it."""
        first, last = axis.lower, axis.upper
        if not isinstance(first, ast.Name) or first.id != name or axis.step is not None:
            return False
        if [b.node for b in self.reaching(first)] != [place]:
            return False
        last = self.assigned(last) or last
        terms = list(_summed(last)) if last is not None else []
        sizes = [self.me.number(t) for t in terms if getattr(t, "id", "") != name]
        counted = sum(size for size in sizes if size is not None)
        return 0 < len(sizes) < len(terms) and (None in sizes or counted > 1)


def _summed(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
        yield from _summed(node.left)
        yield from _summed(node.right)
    else:
        yield node
