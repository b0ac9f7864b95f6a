"""Source code: dimensions are to change places, and `view` mixes their elements."""

from __future__ import annotations

import ast
from textwrap import shorten
from typing import NamedTuple

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Code
from keng.source.axes import Axis, matched, written_sizes
from keng.source.code import once_per_file
from keng.source.dimensions import ONE, Shape, Size, product
from keng.source.flow import integer
from keng.source.names import Binding
from keng.source.shapes import given_sizes
from keng.source.tree import part_at

SQUARES = frozenset("h w height width hh ww".split())
"""Sizes that are most often alike."""


ALIKE = frozenset(
    f"torch.{name}" for name in ("zeros", "ones", "full", "empty", "rand", "randn", "bernoulli")
)


class Named(NamedTuple):
    """The size of a dimension of the tensor of this name, and how many names all sizes were unpacked into."""

    of: ast.Name
    dimension: int
    unpacked: int


@finds(mentions=["view", "reshape"])
def sizes_in_another_order(code: Code) -> Hits:
    for call, given, heads in _views_mixing(code):
        text = shorten(code.text_of(call), 60, placeholder=" ...")
        if heads:
            says = say("heads-before-steps", call=text, name=given.id)
        else:
            says = say("sizes-reordered", call=text, name=given.id)
        yield code.hit(call, says)


@finds(mentions=["view", "reshape"])
def dimension_moved(code: Code) -> Hits:
    known = {call for call, *_ in _views_mixing(code)}
    for call in code.calls.method_calls("view", "reshape"):
        if call not in known and not _is_all_alike(code, call) and _moves(code, call):
            text = shorten(code.text_of(call), 60, placeholder=" ...")
            given = shorten(code.text_of(code.tree.receiver(call)), 40, placeholder=" ...")
            yield code.hit(call, say("sizes-reordered", call=text, name=given))


@finds(mentions=["view", "reshape"])
def factors_reordered(code: Code) -> Hits:
    """A view of (..., heads, steps) as (..., steps, heads), or of joined dimensions in another order: attention
    of heads put together without `transpose`."""
    known = {call for call, *_ in _views_mixing(code)}
    for call in code.calls.method_calls("view", "reshape"):
        given = code.tree.receiver(call)
        named = [each for each in given_sizes(call) if integer(each) is None]
        whole = all(integer(each) != -1 for each in given_sizes(call))
        if call in known or len(named) < 2 or _where_one_is_one(code, call):
            continue
        if code.dimensions.shape(given) is not None:
            continue
        base, sizes = code.layouts.axes(given), written_sizes(code.layouts, given_sizes(call))
        if base is None or base.whole is None or sizes is None:
            continue
        front, _, left, rest = matched([f for axis in base.whole for f in axis.factors], sizes)
        moved = whole and _is_reordered(left, rest)
        passed = None if moved else _moved_over(front, left, rest)
        if (moved or (passed and not _may_be_one(code, call, passed))) and not _only_squares(call):
            text = shorten(code.text_of(call), 60, placeholder=" ...")
            name = shorten(code.text_of(given), 40, placeholder=" ...")
            yield code.hit(call, say("sizes-reordered", call=text, name=name))


def _is_all_alike(code: Code, call: ast.Call) -> bool:
    """Whether the elements of a tensor are one constant or drawn alike, so that none is at a wrong place."""
    made = code.flow.call_behind(code.tree.receiver(call))
    while made is not None and isinstance(made.func, ast.Attribute):
        if code.names.resolve(made.func) in ALIKE:
            return True
        made = made.func.value if isinstance(made.func.value, ast.Call) else None
    return False


def _is_reordered(left: list[Size], rest: list[Size | None]) -> bool:
    """Whether the same sizes follow each other in another order."""
    if not 2 <= len(left) == len(rest) or None in rest or len(set(left)) != len(left):
        return False
    return set(left) == set(rest) and all(size.powers for size in left)


def _moved_over(front: list[Axis], left: list[Size], rest: list[Size | None]) -> Size | None:
    """What changes sides of a size that stays one: the heads, of (heads, steps, width) as (steps, heads * width).
    The first dimension stays first: where it vanishes, it may be 1."""
    for j, size in enumerate(rest):
        if size is None or size.symbol is None or rest.count(size) != 1 or left.count(size) != 1:
            continue
        i = left.index(size)
        before = [each for each in rest[:j] if each is not None]
        kept = front or (before and _divides(left[0], product(tuple(before))))
        if kept and len(before) == j and len(rest) < len(left):
            ratio = product(tuple(before)) / product(tuple(left[:i]))
            signs = {power > 0 for _, power in ratio.powers}
            if len(signs) == 1 and ratio.number == 1:
                return ratio
    return None


def _may_be_one(code: Code, call: ast.Call, size: Size) -> bool:
    """Whether a size is an argument, or an attribute given one, that is 1 where nothing is passed."""
    owner, function = code.tree.enclosing_class(call), code.tree.enclosing_function(call)
    for (key, *rest), _ in size.powers:
        given: list[ast.AST | None] = [key] if isinstance(key, ast.AST) else []
        if key == "self" and owner is not None and rest:
            found = code.classes.attributes(owner).get(str(rest[0]), [])
            given = [part_at(value, path) for value, path in found]
        for each in given:
            default = code.flow.default_of(each) if isinstance(each, ast.Name) else each
            if isinstance(each, ast.arg) and function is not None:
                default = code.flow.default_of_argument(function, each)
            if code.flow.is_constant(default, 1):
                return True
    return False


def _divides(part: Size, whole: Size) -> bool:
    return all(power > 0 for _, power in (whole / part).powers)


def _only_squares(call: ast.Call) -> bool:
    written = [getattr(each, "id", "").lower() for each in given_sizes(call)]
    return len(SQUARES & set(written)) > 1


def _moves(code: Code, call: ast.Call) -> bool:
    """Whether a view gives a dimension another place among the elements: neither what is before it nor
    what is behind it is what it was. A size that is a sum is a row that is shifted on purpose."""
    base = code.dimensions.shape(code.tree.receiver(call))
    new = code.dimensions.shape(call) if base is not None and base.whole else None
    if base is None or new is None or not new.whole:
        return False
    keys = [key for size in (*base.sizes, *new.sizes) for key, _ in size.powers]
    shifted = any(isinstance(key[0], (ast.BinOp, ast.Call, ast.Slice)) for key in keys)
    if shifted or _where_one_is_one(code, call):
        return False
    moved = [pair for pair in _kept(base, new) if _is_moved(base, new, *pair)]
    written = [getattr(each, "id", "").lower() for each in given_sizes(call)]
    if not moved or {written[j] for _, j in moved} <= SQUARES:
        return False
    ratios = [_behind(new, j) / _behind(base, i) for i, j in moved]
    same_batch = base.sizes[0] == new.sizes[0] and base.sizes[0].symbol is not None
    swapped = any(i < k and j > m for i, j in _kept(base, new) for k, m in _kept(base, new))
    return same_batch or swapped or any(not ratio.powers for ratio in ratios)


def _where_one_is_one(code: Code, call: ast.Call) -> bool:
    """Whether a view is made only where a size is 1."""
    tests = [a.test for a in code.tree.ancestors(call) if isinstance(a, (ast.If, ast.IfExp))]
    compared = [c for test in tests for c in ast.walk(test) if isinstance(c, ast.Compare)]
    return any(code.flow.number(right) == 1 for c in compared for right in c.comparators)


def _kept(base: Shape, new: Shape) -> list[tuple[int, int]]:
    """The places of sizes that stay dimensions of their own: before, and in the new shape."""
    pairs = []
    for i, size in enumerate(base.sizes):
        symbol = size.symbol
        places = [j for j, other in enumerate(new.sizes) if symbol in dict(other.powers)]
        once = sum(symbol in dict(other.powers) for other in base.sizes) == 1 and len(places) == 1
        if symbol is not None and once and new.sizes[places[0]] == size:
            pairs.append((i, places[0]))
    return pairs


def _is_moved(base: Shape, new: Shape, i: int, j: int) -> bool:
    if i == j and len(base.sizes) == len(new.sizes):  # the others may have two names each
        return False
    before = product(new.sizes[:j]) / product(base.sizes[:i])
    return before != ONE and _behind(new, j) / _behind(base, i) != ONE


def _behind(shape: Shape, at: int) -> Size:
    """How many elements lie between neighbours of a dimension."""
    return product(shape.sizes[at + 1 :])


@once_per_file
def _views_mixing(code: Code) -> list[tuple[ast.Call, ast.Name, bool]]:
    """Calls of `view` and `reshape` that name the sizes of a tensor in another order, or put heads that
    are cut off its last dimension before the second: the call, the tensor, and whether it is heads."""
    found: list[tuple[ast.Call, ast.Name, bool]] = []
    for call in code.calls.method_calls("view", "reshape"):
        written = _sizes_written(code, call)
        if len(written) < 3:
            continue
        sizes = [_size(code, each) for each in written]
        known = [size for size in sizes if size is not None]
        if len(known) < 2 or not all(_same(code, known[0].of, size.of) for size in known):
            continue
        order = [-1 if size is None else size.dimension for size in sizes]
        turned = sorted(order) == list(range(len(order))) and _reordered(code, order, written)
        split = _splits_before(code, order, written) and known[0].unpacked == 3
        given = _whole(code, code.tree.receiver(call), linear=split) if turned or split else None
        if given is not None and _same(code, given, known[0].of):
            found.append((call, given, split))
    return found


def _sizes_written(code: Code, call: ast.Call) -> list[ast.expr]:
    last = call.args[0] if len(call.args) == 1 else None
    sizes = last.elts if isinstance(last, (ast.Tuple, ast.List)) else call.args
    return [] if any(isinstance(each, ast.Starred) for each in sizes) else sizes


def _size(code: Code, node: ast.expr) -> Named | None:
    """What a size is, as far as it is one of a tensor with a name."""
    if not isinstance(node, ast.Name):
        return _size_read(code, node)
    found = code.flow.reaching_definitions(node)
    if len(found) != 1 or found[0].how != "assign":
        return None
    return _size_unpacked(code, found[0]) if found[0].path else _size_read(code, found[0].value)


def _size_unpacked(code: Code, binding: Binding) -> Named | None:
    of, names = _all_sizes_of(code, binding.value), code.tree.parent[binding.node]
    if of is None or len(binding.path) != 1 or not isinstance(names, ast.Tuple):
        return None
    starred = any(isinstance(each, ast.Starred) for each in names.elts)
    return None if starred else Named(of, binding.path[0], len(names.elts))


def _size_read(code: Code, node: ast.expr | None) -> Named | None:
    of: ast.Name | None = None
    at = -1
    match node:
        case ast.Subscript(value=whole, slice=ast.Constant(value=int(at))):
            of = _all_sizes_of(code, whole)
        case ast.Call(
            func=ast.Attribute(value=ast.Name() as of, attr="size"),
            args=[ast.Constant(value=int(at))],
        ):
            pass
    return Named(of, at, 0) if of is not None and at >= 0 else None


def _all_sizes_of(code: Code, node: ast.expr | None) -> ast.Name | None:
    match node:
        case (
            ast.Attribute(value=ast.Name() as of, attr="shape")
            | ast.Call(
                func=ast.Attribute(value=ast.Name() as of, attr="size"), args=[], keywords=[]
            )
        ):
            return of
    return None


def _same(code: Code, one: ast.Name, other: ast.Name) -> bool:
    """Whether two names are one tensor, as it was first."""
    found = code.flow.reaching_definitions(one)
    return one.id == other.id and len(found) == 1 and found == code.flow.reaching_definitions(other)


def _reordered(code: Code, order: list[int], written: list[ast.expr]) -> bool:
    moved = [each for n, each in enumerate(written) if order[n] != n]
    names = {each.id.lower() for each in moved if isinstance(each, ast.Name)}
    return bool(moved) and not (names <= SQUARES and len(names) == len(moved))


def _splits_before(code: Code, order: list[int], written: list[ast.expr]) -> bool:
    """Whether (batch, time, features) become (batch, heads, time, width)."""
    one = isinstance(written[1], ast.Constant) and written[1].value == 1
    return len(order) == 4 and order[0] == 0 and order[2] == 1 and order[1] == -1 and not one


def _whole(code: Code, node: ast.expr, linear: bool, depth: int = 3) -> ast.Name | None:
    """The name of the tensor that is viewed, or that a linear layer made it of, which keeps all
    dimensions but the last."""
    if isinstance(node, ast.Call) and linear and len(node.args) == 1:
        given = node.args[0]
        layer = code.types.value_of(node.func).dotted == "torch.nn.Linear"
        return given if layer and isinstance(given, ast.Name) else None
    if not isinstance(node, ast.Name):
        return None
    made = code.flow.assigned_value(node)
    if linear and depth and isinstance(made, ast.Call):
        return _whole(code, made, linear, depth - 1) or node
    return node
