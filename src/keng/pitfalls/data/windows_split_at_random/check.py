"""Source code: windows that overlap are split at random."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partial

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Code, Definition, Kind
from keng.source.splits import BY_LENGTHS, BY_ROWS, SUBSET, TO_TRAIN, is_held_out
from keng.source.tree import FUNCTIONS

DRAWS = ("randperm", "permutation", "sample")
SAMPLER = "torch.utils.data.SubsetRandomSampler"
VIEWS = "numpy.lib.stride_tricks.sliding_window_view"


@finds
def neighbours_on_both_sides(code: Code) -> Hits:
    for place, part, cut in _windows_split_at_random(code):
        says = say("shares-points-neighbours-drawn", part=cut, part_2=part)
        yield code.hit(place, says)


def _windows_split_at_random(code: Code) -> Iterator[tuple[ast.expr, str, str]]:
    """Parts for a test that are drawn at random from windows which overlap: where, the name of the part,
    and how a window is cut."""
    for place, whole, name in _drawn_apart(code):
        for tree, node in code.splits.sources(whole):
            if isinstance(node, ast.Subscript) or code.splits.of(tree).taken_from(node) is not None:
                break
            if cut := _cut_by_one(code.at(tree), node):
                yield place, name, cut
                break


def _drawn_apart(code: Code) -> Iterator[tuple[ast.expr, ast.expr, str]]:
    """What parts of a data set are drawn at random: where, the whole, and the name of that for a test."""
    for call in code.calls.calls_to(BY_ROWS, BY_LENGTHS):
        part = next(filter(is_held_out, code.splits.names_of_parts(call)), "")
        if part and call.args and _draws(code, call):
            yield call, call.args[0], part
    for held in code.splits.held_out:
        rows = _rows_of(code, held.by)
        if rows is not None and _are_drawn(code, rows):
            yield held.by, held.whole[0], held.name
    for call in code.calls.calls_to(SAMPLER):
        loader = _loader_with(code, call)
        made = code.tree.parent[loader] if loader is not None else None
        name = getattr(made.targets[0], "id", "") if isinstance(made, ast.Assign) else ""
        if loader is None or not is_held_out(name) or not call.args or not loader.args:
            continue
        if _trains_on_too(code, loader.args[0]) and _are_drawn(code, call.args[0]):
            yield call, loader.args[0], name


def _trains_on_too(code: Code, data: ast.expr) -> bool:
    """Whether a loader that is named for training takes its batches from this data set as well."""
    return any(
        bool(loader.args)
        and code.splits.holds_the_same(loader.args[0], data)
        and TO_TRAIN.search(
            ast.unparse(getattr(code.tree.parent[loader], "targets", [loader])[0]).lower()
        )
        for loader in code.calls.calls_to("torch.utils.data.DataLoader")
    )


def _draws(code: Code, split: ast.Call) -> bool:
    """Whether a split takes rows at random, as it does unless it is told not to."""
    told = [k for k in split.keywords if k.arg in ("shuffle", None)]
    return all(code.flow.is_constant(k.value, True) for k in told)


def _loader_with(code: Code, sampler: ast.Call) -> ast.Call | None:
    for loader in code.calls.calls_to("torch.utils.data.DataLoader"):
        if code.flow.call_behind(code.calls.argument(loader, "sampler", 4)) is sampler:
            return loader
    return None


def _rows_of(code: Code, taken: ast.expr) -> ast.expr | None:
    if isinstance(taken, ast.Subscript):
        return taken.slice
    subset = isinstance(taken, ast.Call) and code.names.resolve(taken.func) == SUBSET
    return (
        code.calls.argument(taken, "indices", 1) if subset and isinstance(taken, ast.Call) else None
    )


def _are_drawn(code: Code, rows: ast.expr | None, depth: int = 8) -> bool:
    """Whether numbers of rows come from a permutation, or from a list that is shuffled."""
    if not depth:
        return False
    match rows:
        case ast.Name():
            found = code.flow.reaching_definitions(rows)
            if len(found) != 1 or found[0].how != "assign":
                return False
            value, path = found[0].value, found[0].path
            if isinstance(value, ast.Tuple) and path and path[0] < len(value.elts):
                value = value.elts[path[0]]
            return _is_shuffled(code, rows) or _are_drawn(code, value, depth - 1)
        case ast.Subscript(value=inner, slice=ast.Slice()):
            return _are_drawn(code, inner, depth - 1)
        case ast.Call(func=ast.Attribute(attr="tolist" | "numpy", value=inner)):
            return _are_drawn(code, inner, depth - 1)
        case ast.Call(args=[first, *_]) if code.names.resolve(rows.func) == "builtins.list":
            return _are_drawn(code, first, depth - 1)
        case ast.Call() if code.names.resolve(rows.func) == BY_ROWS:
            return _draws(code, rows)
        case ast.Call():
            return code.calls.attribute_name(rows.func) in DRAWS
    return False


def _is_shuffled(code: Code, name: ast.Name) -> bool:
    return any(
        bool(call.args)
        and code.splits.holds_the_same(call.args[0], name)
        and code.tree.position(call) < code.tree.position(name)
        for call in code.calls.method_calls("shuffle")
    )


def _cut_by_one(code: Code, node: ast.expr) -> str:
    """How windows are cut of which each begins one place behind the one before it and goes further than
    that; "" for all else."""
    match node:
        case ast.Name():
            added = code.flow.values_added(node)
            return next(filter(None, map(partial(_cut_in_rounds, code), added)), "")
        case ast.ListComp(elt=each, generators=[*_, last]):
            return _cut_in(code, each, last.target) if _counts_by_one(code, last.iter) else ""
        case ast.Call(func=ast.Attribute(attr="unfold"), args=[_, size, step]):
            small = code.flow.number(step) == 1 and code.flow.number(size) != 1
            return code.text_of(node) if small else ""
        case ast.Call() if code.names.resolve(node.func) == VIEWS:
            return code.text_of(node)
        case ast.Call() if (made := code.types.value_of(node)).kind is Kind.DATASET:
            if 1 in map(code.flow.number, (*node.args, *(k.value for k in node.keywords))):
                return ""  # windows of one, perhaps
            return (
                _served_by_one(code.at(made.definition.tree), made.definition)
                if made.definition
                else ""
            )
    return ""


def _cut_in_rounds(code: Code, added: ast.expr) -> str:
    """How what a round of a loop adds is cut, where the loop counts by one."""
    loop = code.around(added, ast.For)
    if loop is None or not _counts_by_one(code, loop.iter):
        return ""
    return _cut_in(code, code.flow.assigned_value(added) or added, loop.target)


def _counts_by_one(code: Code, through: ast.expr) -> bool:
    """`range(n)`, or one whose step is 1."""
    if not isinstance(through, ast.Call) or code.names.resolve(through.func) != "builtins.range":
        return False
    return len(through.args) < 3 or code.flow.number(through.args[2]) == 1


def _served_by_one(code: Code, owner: Definition) -> str:
    """How the items of a data set are cut, where their number is that of the places less a window."""
    serving, length = (
        code.classes.method(owner, "__getitem__"),
        code.classes.method(owner, "__len__"),
    )
    if serving is None or length is None or not isinstance(serving.node, FUNCTIONS):
        return ""
    arguments = serving.tree.parameters(serving.node)
    ends = length.tree.returns(length.node)
    if len(arguments) != 2 or len(ends) != 1 or not _is_less(code.at(length.tree), ends[0]):
        return ""
    return _cut_in(code.at(serving.tree), serving.node, arguments[1])


def _is_less(code: Code, length: ast.expr) -> bool:
    """Whether a number of items is a difference, and no share."""
    owner = code.classes.self_class(length.value) if isinstance(length, ast.Attribute) else None
    if owner is not None and isinstance(length, ast.Attribute):
        given = code.classes.attributes(owner).get(length.attr, [])
        length = given[0][0] or length if len(given) == 1 else length
    parts = [n.op for n in ast.walk(length) if isinstance(n, ast.BinOp)]
    shares = any(isinstance(op, (ast.FloorDiv, ast.Div, ast.Mult)) for op in parts)
    return any(isinstance(op, ast.Sub) for op in parts) and not shares


def _cut_in(code: Code, node: ast.AST, place: ast.expr | ast.arg) -> str:
    """The first `series[i : i + window]` in a node where `i` is that place, and the window is not known
    to be of one."""
    name = getattr(place, "id", getattr(place, "arg", ""))
    for cut in ast.walk(node):
        if not isinstance(cut, ast.Subscript):
            continue
        axes = cut.slice.elts if isinstance(cut.slice, ast.Tuple) else [cut.slice]
        for axis in axes:
            if isinstance(axis, ast.Slice) and _goes_on_from(code, axis, name, place):
                inside = {n.id for n in ast.walk(cut.value) if isinstance(n, ast.Name)}
                return "" if name in inside else code.text_of(cut)
    return ""


def _goes_on_from(code: Code, axis: ast.Slice, name: str, place: ast.AST) -> bool:
    """Whether a slice begins at a place and ends a window behind it."""
    first, last = axis.lower, axis.upper
    if not isinstance(first, ast.Name) or first.id != name or axis.step is not None:
        return False
    if [b.node for b in code.flow.reaching_definitions(first)] != [place]:
        return False
    last = code.flow.assigned_value(last) or last
    terms = list(_summed(last)) if last is not None else []
    sizes = [code.flow.number(t) for t in terms if getattr(t, "id", "") != name]
    counted = sum(size for size in sizes if size is not None)
    return 0 < len(sizes) < len(terms) and (None in sizes or counted > 1)


def _summed(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
        yield from _summed(node.left)
        yield from _summed(node.right)
    else:
        yield node
