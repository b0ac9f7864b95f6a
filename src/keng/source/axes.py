"""Axes of tensors and the order of what lies in them, as operations move, join and split them.

An axis is a sequence of factors, the slowest first: after `x.transpose(1, 2).reshape(b, t, -1)` the last one
is (heads, width). A tensor of unknown rank has the axes that the program counts from its front and from its
end, and a rest between them. What is not known is a factor of its own, so that two factors are equal only
where they surely are.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from typing import NamedTuple, cast

from keng.source.calls import Calls
from keng.source.classes import Classes
from keng.source.dimensions import KEEPING_LAYERS, KEEPS, ONE, Dimensions, Size, product, symbolic
from keng.source.flow import Flow, integer
from keng.source.names import Binding, Names
from keng.source.project.trees import Trees
from keng.source.shapes import given_sizes
from keng.source.tree import Function, Tree
from keng.source.types.infer import Types
from keng.source.types.kinds import Kind

FARTHEST = 40
"""Steps from value to value."""
MOST_WAYS = 4
"""Definitions of a name that are followed."""
DEEPEST = 2
"""Calls of functions of the project inside each other."""
CONVERTS = frozenset("type half bfloat16 type_as cuda cpu to float double contiguous clone".split())
REDUCES = frozenset("sum mean amax amin prod std var argmax argmin all any logsumexp norm".split())
SPLITS = frozenset({"unbind", "chunk"})
SOFTMAX = frozenset({"softmax", "log_softmax"})
PATTERN = re.compile(r"\(([^()]*)\)|(\S+)")


class Axis(NamedTuple):
    """The factors of an axis, the slowest first; none where it has the size 1.

    `softmax` is the call that made the values along it sum up to 1; `copies` says that one of the factors
    counts copies of the same values.
    """

    factors: tuple[Size, ...]
    softmax: ast.Call | None = None
    copies: bool = False

    @property
    def size(self) -> Size:
        return product(self.factors)


class Rest(NamedTuple):
    """The axes of an unknown value that are not counted: without `start` in front and `stop` at the end."""

    key: ast.AST
    start: int
    stop: int


class Axes(NamedTuple):
    """`before` the rest, and `after` it. `scores` says that a product of two tensors is behind it."""

    before: tuple[Axis, ...]
    rest: Rest | None = None
    after: tuple[Axis, ...] = ()
    scores: bool = False

    @property
    def whole(self) -> tuple[Axis, ...] | None:
        return self.before if self.rest is None else None

    @property
    def counted(self) -> bool:
        """Whether anything but the rest is known."""
        return self.rest is None or bool(self.before or self.after or self.rest[1] or self.rest[2])

    def opened(self, dimension: int) -> Axes:
        """The same axes, that of a dimension among those that are counted."""
        before, rest, after = self.before, self.rest, self.after
        while rest is not None and 0 <= len(before) <= dimension:
            before = (*before, Axis((symbolic((rest.key, rest.start)),)))
            rest = rest._replace(start=rest.start + 1)
        while rest is not None and dimension < -len(after):
            after = (Axis((symbolic((rest.key, -1 - rest.stop)),)), *after)
            rest = rest._replace(stop=rest.stop + 1)
        return self._replace(before=before, rest=rest, after=after)

    def at(self, dimension: int) -> Axis | None:
        axes = self.opened(dimension)
        row = axes.before if axes.rest is None or dimension >= 0 else axes.after
        return row[dimension] if -len(row) <= dimension < len(row) else None

    def with_axis(self, dimension: int, *new: Axis) -> Axes | None:
        """The axis of a dimension replaced by others."""
        axes = self.opened(dimension)
        in_front = axes.rest is None or dimension >= 0
        row = axes.before if in_front else axes.after
        if not -len(row) <= dimension < len(row):
            return None
        at = dimension % len(row)
        changed = (*row[:at], *new, *row[at + 1 :])
        return axes._replace(before=changed) if in_front else axes._replace(after=changed)

    def unmarked(self) -> Axes:
        before, after = (
            tuple(axis._replace(softmax=None) for axis in row) for row in (self.before, self.after)
        )
        return self._replace(before=before, after=after)


ONE_WIDE = Axis(())


class Env(NamedTuple):
    """What the arguments of a function are given in the call that is followed, and what is known by that."""

    given: dict[ast.AST, Axes]
    known: dict[ast.AST, Axes | None]


NOTHING = Env({}, {})


class Layouts:
    def __init__(self, tree: Tree, trees: Trees) -> None:
        self.tree = tree
        self.trees = trees
        self.names = trees.ask(Names, tree)
        self.classes = trees.ask(Classes, tree)
        self.flow = trees.ask(Flow, tree)
        self.calls = trees.ask(Calls, tree)
        self.types = trees.ask(Types, tree)
        self.dimensions = trees.ask(Dimensions, tree)
        self._known: dict[ast.AST, Axes | None] = {}
        self._steps = 0

    def of(self, tree: Tree) -> Layouts:
        """The same subject of another file."""
        return self if tree is self.tree else self.trees.ask(Layouts, tree)

    def axes(self, node: ast.AST, env: Env = NOTHING, depth: int = DEEPEST) -> Axes | None:
        """The axes of a tensor; None where nothing is known of the value."""
        known = env.known if env.given else self._known
        if node not in known and self._steps < FARTHEST:
            known[node] = None  # what depends on itself
            known[node] = self._axes(node, env, depth)
        return known.get(node)

    def _axes(self, node: ast.AST, env: Env, depth: int) -> Axes | None:
        self._steps += 1
        try:
            match node:
                case ast.Name():
                    return self._of_name(node, env, depth)
                case ast.Call():
                    return self._of_call(node, env, depth)
                case ast.BinOp(op=ast.MatMult()):
                    return matrices(
                        self.axes(node.left, env, depth), self.axes(node.right, env, depth)
                    )
                case (
                    ast.BinOp(left=left, right=right) | ast.Compare(left=left, comparators=[right])
                ):
                    return self._broadcast(left, right, env, depth)
                case ast.UnaryOp():
                    return self.axes(node.operand, env, depth)
                case ast.Subscript():
                    base = self.axes(node.value, env, depth)
                    return indexed(base, node.slice) if base is not None else None
                case ast.Attribute(attr="T" | "mT", value=inner):
                    base = self.axes(inner, env, depth)
                    return swapped(base, -1, -2) if base is not None else None
            return None
        finally:
            self._steps -= 1

    def _of_name(self, name: ast.Name, env: Env, depth: int) -> Axes | None:
        found = self.flow.reaching_definitions(name)
        whole = [binding for binding in found if binding.how != "augment"]
        if len(whole) > 1:
            whole = [binding for binding in whole if not self._goes_through_layers(binding)]
        carried = self.flow.carried_definitions(name)
        if not whole or len(whole) > MOST_WAYS:
            return None
        if not all(map(self._goes_through_layers, carried)):
            return None
        ways = [self._of_binding(binding, env, depth) for binding in whole]
        known = ways[0] if len(ways) == 1 else agreed(ways, name)
        return known.unmarked() if known is not None and len(whole) < len(found) else known

    def _goes_through_layers(self, binding: Binding) -> bool:
        """Whether each round of a loop gives a value to a layer that gives one of the same shape, as it
        takes it again: `for block in self.blocks: x = block(x)`."""
        made = binding.value
        if binding.how != "assign" or binding.path or not isinstance(made, ast.Call):
            return False
        given = made.args[0] if made.args else None
        loop = self.tree.enclosing(binding.node, ast.For)
        over = {n.id for n in ast.walk(loop.target) if isinstance(n, ast.Name)} if loop else set()
        called = isinstance(made.func, ast.Name) and made.func.id in over
        return called and isinstance(given, ast.Name) and given.id == binding.name

    def _of_binding(self, binding: Binding, env: Env, depth: int) -> Axes | None:
        if binding.node in env.given:
            return env.given[binding.node]
        made = self._assigned(binding, env, depth) if binding.how == "assign" else None
        return made or self._opaque(binding)

    def _assigned(self, binding: Binding, env: Env, depth: int) -> Axes | None:
        value = binding.value
        for at in binding.path:
            if isinstance(value, (ast.Tuple, ast.List)) and at < len(value.elts):
                value = value.elts[at]
            elif isinstance(value, ast.Call) and len(binding.path) == 1:
                if self.calls.attribute_name(value.func) in SPLITS:
                    return self._part(value, env, depth)
                return self._of_function_of_project(value, env, depth, at)
            else:
                return None
        return self.axes(value, env, depth) if value is not None else None

    def _part(self, call: ast.Call, env: Env, depth: int) -> Axes | None:
        """One of the tensors that `unbind` or `chunk` gives."""
        given = self.operand(call)
        base = self.axes(given, env, depth) if given is not None else None
        unbinds = self.calls.attribute_name(call.func) == "unbind"
        asked = self.dimension(call, 0 if unbinds else 1)
        written = any(k.arg in ("dim", "axis") for k in call.keywords)
        dimension = 0 if asked is None and not written else asked
        if base is None or dimension is None:
            return None
        return base.with_axis(dimension, *([] if unbinds else [Axis((symbolic((call, "part")),))]))

    def _opaque(self, binding: Binding) -> Axes | None:
        """What nothing is known of but its name, and how many sizes are unpacked from it."""
        if binding.how not in ("argument", "assign"):
            return None
        shape = self.dimensions.unpacked(binding)
        if shape is not None:
            return Axes(tuple(Axis((size,)) for size in shape.sizes))
        return Axes((), Rest(binding.node, 0, 0))

    def size(self, node: ast.AST, env: Env = NOTHING) -> Size:
        """A size that a program writes, in the factors of the tensor that it is read from."""
        match node:
            case ast.BinOp(left=left, op=ast.Mult(), right=right):
                return self.size(left, env) * self.size(right, env)
            case ast.BinOp(left=left, op=ast.FloorDiv(), right=right):
                return self.size(left, env) / self.size(right, env)
            case ast.Call(func=ast.Attribute(attr="size", value=of), args=[at]):
                return self._read(of, integer(at), env) or self.dimensions.size(node)
            case ast.Subscript(value=ast.Attribute(attr="shape", value=of), slice=at):
                return self._read(of, integer(at), env) or self.dimensions.size(node)
            case ast.Name():
                return self._size_of_name(node, env)
        return self.dimensions.size(node)

    def _size_of_name(self, name: ast.Name, env: Env) -> Size:
        found = self.flow.reaching_definitions(name)
        binding = found[0] if len(found) == 1 else None
        if binding is None or binding.how != "assign" or binding.value is None:
            return self.dimensions.size(name)
        match binding.path, binding.value:
            case (at,), ast.Attribute(attr="shape", value=of):
                return self._read(of, at, env) or self.dimensions.size(name)
            case (at,), ast.Call(func=ast.Attribute(attr="size", value=of), args=[]):
                return self._read(of, at, env) or self.dimensions.size(name)
            case (), ast.Call(func=ast.Attribute(attr="size")) | ast.Subscript() | ast.BinOp():
                return self.size(binding.value, env)
        return self.dimensions.size(name)

    def _read(self, of: ast.AST, at: int | None, env: Env) -> Size | None:
        base = self.axes(of, env) if at is not None else None
        axis = base.at(at) if base is not None and at is not None else None
        return axis.size if axis is not None else None

    # calls

    def _of_call(self, call: ast.Call, env: Env, depth: int) -> Axes | None:
        name = self.calls.attribute_name(call.func)
        dotted = self.names.resolve(call.func)
        method = isinstance(call.func, ast.Attribute) and not dotted
        if method and self.classes.self_class(cast(ast.Attribute, call.func).value) is not None:
            return self._of_layer(call, env, depth)
        operation = OPERATIONS.get(name)
        if method or dotted.startswith("torch."):
            if name in JOINS:
                return JOINS[name](self, call, env, depth)
            given = self.operand(call)
            if given is not None and (operation or name in KEEPS | CONVERTS):
                base = self.axes(given, env, depth)
                if base is None or operation is None:
                    return base
                return operation(self, call, base, self.arguments(call), env)
            if dotted:
                return None
        if dotted.startswith("einops.") and name == "rearrange" and call.args:
            base = self.axes(call.args[0], env, depth)
            return rearranged(self, call, base, env) if base is not None else None
        return self._of_layer(call, env, depth)

    def operand(self, call: ast.Call) -> ast.expr | None:
        """The tensor that a function or method of torch works on."""
        if isinstance(call.func, ast.Attribute) and not self.names.resolve(call.func):
            return call.func.value
        return call.args[0] if call.args else None

    def arguments(self, call: ast.Call) -> list[ast.expr]:
        """The arguments of an operation without its tensor."""
        method = isinstance(call.func, ast.Attribute) and not self.names.resolve(call.func)
        return given_sizes(call) if method and len(call.args) == 1 else call.args[not method :]

    def dimension(self, call: ast.Call, position: int = 0) -> int | None:
        """The dimension that an operation is given, in numbers."""
        for keyword in call.keywords:
            if keyword.arg in ("dim", "axis"):
                return integer(keyword.value)
        method = isinstance(call.func, ast.Attribute) and not self.names.resolve(call.func)
        given = call.args[not method :]
        return integer(given[position]) if position < len(given) else None

    def _of_layer(self, call: ast.Call, env: Env, depth: int) -> Axes | None:
        if not call.args or not isinstance(call.func, (ast.Attribute, ast.Name)):
            return None
        layer = self.types.value_of(call.func)
        if layer.dotted in KEEPING_LAYERS:
            base = self.axes(call.args[0], env, depth)
            kind = layer.dotted.rpartition(".")[2]
            if kind in ("Softmax", "LogSoftmax") and layer.call is not None and base is not None:
                at = self.calls.argument(layer.call, "dim", 0)
                dimension = integer(at) if at is not None else None
                return marked(base, dimension, call) if dimension is not None else base
            return base
        if layer.dotted == "torch.nn.Linear" and layer.call is not None:
            base = self.axes(call.args[0], env, depth)
            width = self.calls.argument(layer.call, "out_features", 1)
            here = width is not None and layer.call in self.tree.parent
            size = self.dimensions.size(width) if here else symbolic((layer.call, "out"))
            return base.with_axis(-1, Axis((size,))) if base is not None else None
        return self._of_function_of_project(call, env, depth)

    def _of_function_of_project(
        self, call: ast.Call, env: Env, depth: int, part: int | None = None
    ) -> Axes | None:
        """What a function or a forward of the project returns, followed with what it is given."""
        made = self.types.resolve_function(call) if depth else None
        if made is None or not isinstance(made.node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return None
        results = made.tree.returns(made.node)
        value: ast.expr | None = results[0] if len(results) == 1 else None
        if part is not None:
            parts = value.elts if isinstance(value, ast.Tuple) else []
            value = parts[part] if part < len(parts) else None
        if value is None:
            return None
        inner = self._bound(call, made.node, made.tree, env, depth)
        return self.of(made.tree).axes(value, inner, depth - 1) if inner.given else None

    def _bound(self, call: ast.Call, function: Function, tree: Tree, env: Env, depth: int) -> Env:
        inner: dict[ast.AST, Axes] = {}
        calls = self.calls.of(tree)
        for argument in tree.parameters(function):
            given = calls.bound_argument(call, function, argument.arg)
            axes = self.axes(given, env, depth) if given is not None else None
            if axes is not None:
                inner[argument] = axes
        return Env(inner, {})

    # arithmetic

    def _broadcast(self, left: ast.expr, right: ast.expr, env: Env, depth: int) -> Axes | None:
        """The operand of which more is known: a number or a scale changes no axis."""
        one, other = self.axes(left, env, depth), self.axes(right, env, depth)
        if one is None or other is None:
            known, unknown = (one, right) if other is None else (other, left)
            plain = known is not None and self._is_scale(unknown, known.counted or known.scores)
            return known.unmarked() if known is not None and plain else None
        if not (one.counted and other.counted):
            if one.rest == other.rest and one.rest is not None and not one.counted:
                return one
            known = one if one.counted or one.scores else other
            return known.unmarked() if known.counted or known.scores else None
        if one.whole is not None and other.whole is not None:
            return Axes(aligned(one.whole, other.whole), scores=one.scores or other.scores)
        longer = one if len(one.before + one.after) >= len(other.before + other.after) else other
        return longer.unmarked()

    def _is_scale(self, node: ast.expr, may_be_computed: bool) -> bool:
        """Whether a factor or summand is a number, or most likely one."""
        if isinstance(node, ast.Constant) or self.types.kind_of(node) is Kind.NUMBER:
            return True
        return isinstance(node, ast.Attribute) or (may_be_computed and isinstance(node, ast.Call))


def agreed(ways: list[Axes | None], name: ast.AST) -> Axes | None:
    """The axes of a value that one of several ways gives: what differs is not known."""
    known = [way for way in ways if way is not None]
    first = known[0] if len(known) == len(ways) else None
    if first is None or any(_outline(way) != _outline(first) for way in known):
        return None
    rows = [list(zip(*side, strict=True)) for side in _rows(known)]
    before, after = (
        tuple(_agreed_axis(list(axes), name, (n, side)) for n, axes in enumerate(row))
        for side, row in enumerate(rows)
    )
    return Axes(before, first.rest, after, all(way.scores for way in known))


def _rows(ways: list[Axes]) -> tuple[list[tuple[Axis, ...]], list[tuple[Axis, ...]]]:
    return [way.before for way in ways], [way.after for way in ways]


def _outline(axes: Axes) -> tuple[int, Rest | None, int]:
    return len(axes.before), axes.rest, len(axes.after)


def _agreed_axis(axes: list[Axis], name: ast.AST, at: tuple[int, int]) -> Axis:
    softmax = axes[0].softmax if all(axis.softmax is not None for axis in axes) else None
    same = all(axis.factors == axes[0].factors for axis in axes)
    factors = axes[0].factors if same else (symbolic((name, *at)),)
    return Axis(factors, softmax, any(axis.copies for axis in axes))


def aligned(one: tuple[Axis, ...], other: tuple[Axis, ...]) -> tuple[Axis, ...]:
    """The axes of a result to which two tensors are broadcast."""
    longer, shorter = (one, other) if len(one) >= len(other) else (other, one)
    rows = (*(Axis(()),) * (len(longer) - len(shorter)), *shorter)
    pairs = zip(longer, rows, strict=True)
    return tuple((a if a.factors else b)._replace(softmax=None) for a, b in pairs)


def marked(base: Axes, dimension: int, call: ast.Call) -> Axes:
    """Axes whose values along one sum up to 1 from now on, where they are the scores of a product."""
    axis = base.at(dimension)
    if axis is None or not base.scores:
        return base
    return base.unmarked().with_axis(dimension, axis._replace(softmax=call)) or base


def matrices(one: Axes | None, other: Axes | None) -> Axes | None:
    """Of `one @ other`."""
    if one is None or other is None:
        return None
    rows, columns = one.opened(-2), other.opened(-2)
    last = columns.at(-1)
    if last is None or rows.at(-2) is None:
        return None
    if rows.rest is not None and columns.rest is None and len(columns.before) > 2:
        front = Axes((*columns.before[:-2], Axis((ONE,)), Axis((ONE,))))
        front = front.with_axis(-2, rows.at(-2) or Axis(())) or front
        made = front.with_axis(-1, last)
    else:
        made = rows.with_axis(-1, last)
    return made.unmarked()._replace(scores=True) if made is not None else None


def swapped(base: Axes, one: int, other: int) -> Axes | None:
    if base.rest is not None and ((one < 0) != (other < 0) or _may_overlap(base, one, other)):
        return None
    first, second = base.at(one), base.at(other)
    if first is None or second is None:
        return None
    made = base.with_axis(one, second)
    return made.with_axis(other, first) if made is not None else None


def _may_overlap(base: Axes, one: int, other: int) -> bool:
    """Whether axes that are counted from both ends may be the same, as the rank is not known."""
    behind = base.after if one >= 0 else base.before
    return bool(behind) and max(one, other, -1 - one, -1 - other) > 0


def indexed(base: Axes, places: ast.expr) -> Axes | None:
    """Of `x[:, None]`, `x[..., 0]` and the like."""
    given = places.elts if isinstance(places, ast.Tuple) else [places]
    front, at = base, 0
    for n, each in enumerate(given):
        match each:
            case ast.Constant(value=value) if value is ...:
                return _indexed_from_end(front, given[n + 1 :])
            case ast.Constant(value=None):
                front = inserted(front, at)
                at += 1
            case ast.Slice(lower=None, upper=None, step=None):
                if (opened := front.opened(at)).at(at) is None:
                    return None
                front, at = opened, at + 1
            case ast.Slice():
                cut = front.with_axis(at, Axis((symbolic((each,)),)))
                if cut is None:
                    return None
                front, at = cut, at + 1
            case _ if isinstance(each, ast.expr) and integer(each) is not None:
                gone = front.with_axis(at)
                if gone is None:
                    return None
                front = gone
            case _:
                return None
    return front


def _indexed_from_end(base: Axes, given: list[ast.expr]) -> Axes | None:
    if any(isinstance(each, ast.Slice) and (each.lower or each.upper) for each in given):
        return None
    result: Axes | None = base
    for n, each in enumerate(reversed(given), 1):
        if result is None:
            return None
        if isinstance(each, ast.Constant) and each.value is None:
            result = inserted(result, -n)
        elif integer(each) is not None:
            return result.with_axis(-n) if n == 1 and len(given) == 1 else None
        elif not isinstance(each, ast.Slice):
            return None
    return result


def inserted(base: Axes, at: int, axis: Axis = ONE_WIDE) -> Axes:
    """A new axis in front of what is at a dimension, counted as `unsqueeze` counts."""
    if at >= 0:
        opened = base.opened(at - 1) if at else base
        return opened._replace(before=(*opened.before[:at], axis, *opened.before[at:]))
    behind = -at - 1
    opened = base.opened(-behind) if behind else base
    if opened.rest is None:
        place = len(opened.before) - behind
        return opened._replace(before=(*opened.before[:place], axis, *opened.before[place:]))
    place = len(opened.after) - behind
    return opened._replace(after=(*opened.after[:place], axis, *opened.after[place:]))


# operations of one tensor

Operation = Callable[[Layouts, ast.Call, Axes, "list[ast.expr]", Env], "Axes | None"]


def _unsqueezed(
    asks: Layouts, call: ast.Call, base: Axes, given: list[ast.expr], env: Env
) -> Axes | None:
    at = asks.dimension(call)
    return inserted(base, at) if at is not None else None


def _squeezed(
    asks: Layouts, call: ast.Call, base: Axes, given: list[ast.expr], env: Env
) -> Axes | None:
    at = asks.dimension(call)
    axis = base.at(at) if at is not None else None
    gone = axis is not None and at is not None and axis.size == ONE
    return base.with_axis(at) if gone and at is not None else None


def _transposed(
    asks: Layouts, call: ast.Call, base: Axes, given: list[ast.expr], env: Env
) -> Axes | None:
    numbers = [integer(each) for each in given]
    one, other = numbers if len(numbers) == 2 else (None, None)
    return swapped(base, one, other) if one is not None and other is not None else None


def _permuted(
    asks: Layouts, call: ast.Call, base: Axes, given: list[ast.expr], env: Env
) -> Axes | None:
    one = given[0] if len(given) == 1 else None
    order = one.elts if isinstance(one, (ast.Tuple, ast.List)) else given
    numbers = [integer(each) for each in order]
    known = ranked(base, len(order))
    whole = known.whole if known is not None else None
    if whole is None or None in numbers:
        return None
    places = [n % len(whole) for n in numbers if n is not None]
    if sorted(places) != list(range(len(whole))):
        return None
    return Axes(tuple(whole[place] for place in places), scores=base.scores)


def ranked(base: Axes, rank: int) -> Axes | None:
    """The axes of a tensor of which the rank is known now."""
    if base.rest is None:
        return base if len(base.before) == rank else None
    missing = rank - len(base.before) - len(base.after)
    if missing < 0:
        return None
    keys = [symbolic((base.rest.key, base.rest.start + n)) for n in range(missing)]
    middle = tuple(Axis((key,)) for key in keys)
    return Axes((*base.before, *middle, *base.after), scores=base.scores)


def _softmaxed(
    asks: Layouts, call: ast.Call, base: Axes, given: list[ast.expr], env: Env
) -> Axes | None:
    at = asks.dimension(call)
    return marked(base, at, call) if at is not None else base


def _reduced(
    asks: Layouts, call: ast.Call, base: Axes, given: list[ast.expr], env: Env
) -> Axes | None:
    at = asks.dimension(call, 1 if asks.calls.attribute_name(call.func) == "norm" else 0)
    if at is None:
        return None
    keeps = [k.value for k in call.keywords if k.arg in ("keepdim", "keepdims")]
    keeps += [g for g in given[1:] if isinstance(g, ast.Constant) and isinstance(g.value, bool)]
    if keeps and not isinstance(keeps[0], ast.Constant):
        return None
    kept = bool(keeps) and isinstance(keeps[0], ast.Constant) and keeps[0].value is True
    made = base.unmarked().with_axis(at, *([Axis(())] if kept else []))
    return made._replace(scores=False) if made is not None else None


def _flattened(
    asks: Layouts, call: ast.Call, base: Axes, given: list[ast.expr], env: Env
) -> Axes | None:
    numbers = [integer(each) for each in given]
    first, last = ([*numbers, -1] if len(numbers) == 1 else numbers) if numbers else (0, -1)
    whole = base.whole
    if whole is None or first is None or last is None or call.keywords:
        return None
    start, stop = first % len(whole), last % len(whole)
    joined = Axis(tuple(f for axis in whole[start : stop + 1] for f in axis.factors))
    return Axes((*whole[:start], joined, *whole[stop + 1 :]))


def _repeated(
    asks: Layouts, call: ast.Call, base: Axes, given: list[ast.expr], env: Env
) -> Axes | None:
    """The times are the slowest factor of each axis: the copies lie one behind another."""
    if not given or any(isinstance(each, ast.Starred) for each in given):
        return None
    known = ranked(base, len(given))
    if known is None and base.whole is not None and len(base.whole) < len(given):
        new = len(given) - len(base.whole)
        known = Axes((*(Axis(()),) * new, *base.whole))
    if known is None or known.whole is None:
        return None
    times = [asks.size(each, env) for each in given]
    rows = zip(times, known.whole, strict=True)
    return Axes(tuple(a if t == ONE else Axis((t, *a.factors), copies=True) for t, a in rows))


def _interleaved(
    asks: Layouts, call: ast.Call, base: Axes, given: list[ast.expr], env: Env
) -> Axes | None:
    at = asks.dimension(call, 1)
    times = asks.calls.argument(call, "repeats") or (given[0] if given else None)
    axis = base.at(at) if at is not None else None
    if axis is None or at is None or times is None:
        return None
    made = Axis((*axis.factors, asks.size(times, env)), copies=True)
    return base.unmarked().with_axis(at, made)


def _expanded(
    asks: Layouts, call: ast.Call, base: Axes, given: list[ast.expr], env: Env
) -> Axes | None:
    whole = base.whole
    if whole is None or not given or any(isinstance(each, ast.Starred) for each in given):
        return None
    if len(given) < len(whole):
        return None
    rows = (*(Axis(()),) * (len(given) - len(whole)), *whole)
    pairs = zip(rows, given, strict=True)
    return Axes(tuple(a if a.factors else _expanded_axis(asks, g, env) for a, g in pairs))


def _expanded_axis(asks: Layouts, given: ast.expr, env: Env) -> Axis:
    if integer(given) == -1:
        return Axis(())
    size = asks.size(given, env)
    return Axis(() if size == ONE else (size,), copies=True)


def _viewed(
    asks: Layouts, call: ast.Call, base: Axes, given: list[ast.expr], env: Env
) -> Axes | None:
    sizes = written_sizes(asks, given, env)
    if sizes is None:
        return None
    flat = [f for axis in base.whole for f in axis.factors] if base.whole is not None else None
    if flat is None:
        return Axes(tuple(_as_written(call, n, size) for n, size in enumerate(sizes)))
    front, back, left, rest = matched(flat, sizes)
    middle = [_as_written(call, len(front) + n, size) for n, size in enumerate(rest)]
    if len(rest) == 1 and (rest[0] is None or product(tuple(left)) == rest[0]):
        middle = [Axis(tuple(left))]
    elif len(left) == 1 and rest.count(None) == 1:
        known = product(tuple(size for size in rest if size is not None))
        parts = [left[0] / known if size is None else size for size in rest]
        middle = [Axis((part,)) for part in parts]
    made = Axes((*front, *middle, *back), scores=base.scores)
    return _with_copies(made) if any(axis.copies for axis in base.before) else made


def _with_copies(axes: Axes) -> Axes:
    return axes._replace(before=tuple(axis._replace(copies=True) for axis in axes.before))


def written_sizes(
    asks: Layouts, given: list[ast.expr], env: Env = NOTHING
) -> list[Size | None] | None:
    """The sizes that a view is given, None for -1; None where they are not written out."""
    if not given or any(isinstance(each, ast.Starred) for each in given):
        return None
    if len(given) == 1 and integer(given[0]) is None:
        return None
    return [None if integer(each) == -1 else asks.size(each, env) for each in given]


def _as_written(call: ast.Call, at: int, size: Size | None) -> Axis:
    return Axis(() if size == ONE else (size if size is not None else symbolic((call, at)),))


Match = tuple[list[Axis], list[Axis], list[Size], "list[Size | None]"]


def matched(flat: list[Size], sizes: list[Size | None]) -> Match:
    """The axes that a view surely makes of factors, from the front and from the end, and the factors and
    the sizes that are left between them."""
    front, left, rest = _from_front([f for f in flat if f != ONE], sizes)
    back, left, rest = _from_front(left[::-1], rest[::-1])
    turned = [Axis(axis.factors[::-1], axis.softmax) for axis in back[::-1]]
    return front, turned, left[::-1], rest[::-1]


def _from_front(
    flat: list[Size], sizes: list[Size | None]
) -> tuple[list[Axis], list[Size], list[Size | None]]:
    front: list[Axis] = []
    while sizes and sizes[0] is not None:
        if sizes[0] == ONE:
            front, sizes = [*front, Axis(())], sizes[1:]
            continue
        found = _run(flat, sizes)
        if found is None:
            break
        factors, count = found
        if count == 1:
            front.append(Axis(tuple(flat[:factors])))
        else:
            front += [Axis((size,)) for size in sizes[:count] if size is not None]
        flat, sizes = flat[factors:], sizes[count:]
    return front, flat, sizes


def _run(flat: list[Size], sizes: list[Size | None]) -> tuple[int, int] | None:
    """How many factors make one size, or how many sizes one factor is split into."""
    for factors in range(1, len(flat) + 1):
        if product(tuple(flat[:factors])) == sizes[0]:
            return factors, 1
    for count in range(2, len(sizes) + 1):
        run = [size for size in sizes[:count] if size is not None]
        if flat and len(run) == count and product(tuple(run)) == flat[0]:
            return 1, count
    return None


OPERATIONS: dict[str, Operation] = {
    "unsqueeze": _unsqueezed,
    "squeeze": _squeezed,
    "transpose": _transposed,
    "swapaxes": _transposed,
    "permute": _permuted,
    "softmax": _softmaxed,
    "log_softmax": _softmaxed,
    "flatten": _flattened,
    "repeat": _repeated,
    "tile": _repeated,
    "repeat_interleave": _interleaved,
    "expand": _expanded,
    "view": _viewed,
    "reshape": _viewed,
    **dict.fromkeys(REDUCES, _reduced),
}


# operations of several tensors


def _product(asks: Layouts, call: ast.Call, env: Env, depth: int) -> Axes | None:
    method = isinstance(call.func, ast.Attribute) and not asks.names.resolve(call.func)
    given = [cast(ast.Attribute, call.func).value, *call.args] if method else call.args
    if len(given) != 2:
        return None
    one, other = (asks.axes(each, env, depth) for each in given)
    if asks.calls.attribute_name(call.func) == "bmm" and one is not None and other is not None:
        one, other = ranked(one, 3) or one, ranked(other, 3) or other
    return matrices(one, other)


def _attended(asks: Layouts, call: ast.Call, env: Env, depth: int) -> Axes | None:
    """Of `scaled_dot_product_attention(query, key, value)`: the rows of the query, as wide as the values."""
    query = asks.axes(call.args[0], env, depth) if len(call.args) >= 3 else None
    value = asks.axes(call.args[2], env, depth) if query is not None else None
    width = value.at(-1) if value is not None else None
    return query.with_axis(-1, width) if query is not None and width is not None else None


def _joined(asks: Layouts, call: ast.Call, env: Env, depth: int) -> Axes | None:
    """Of `cat([x] * times)`: the times are the slowest factor; the rest is not known."""
    parts = call.args[0] if call.args else None
    at = asks.dimension(call, 1)
    match parts:
        case ast.BinOp(left=ast.List(elts=[value]), op=ast.Mult(), right=times):
            base = asks.axes(value, env, depth)
            axis = base.at(at or 0) if base is not None else None
            if base is None or axis is None:
                return None
            made = Axis((asks.size(times, env), *axis.factors), copies=True)
            return base.with_axis(at or 0, made)
    return None


def _summed(asks: Layouts, call: ast.Call, env: Env, depth: int) -> Axes | None:
    """Of `einsum("bhqd,bhkd->bhqk", q, k)`: each letter is one axis."""
    terms = letters(asks, call)
    if terms is None:
        return None
    *inputs, output = terms
    known: dict[str, Axis] = {}
    for written, given in zip(inputs, call.args[1:], strict=False):
        base = asks.axes(given, env, depth)
        whole = (ranked(base, len(written)) or base).whole if base is not None else None
        for n, letter in enumerate(written):
            fresh = Axis((symbolic((call, letter)),))
            axis = whole[n] if whole is not None and n < len(whole) else fresh
            known.setdefault(letter, Axis(axis.factors))
    made = tuple(known.get(letter, Axis((symbolic((call, letter)),))) for letter in output)
    return Axes(made, scores=len(inputs) == 2)


JOINS: dict[str, Callable[[Layouts, ast.Call, Env, int], Axes | None]] = {
    "matmul": _product,
    "bmm": _product,
    "cat": _joined,
    "concat": _joined,
    "einsum": _summed,
    "scaled_dot_product_attention": _attended,
}


def letters(asks: Layouts, call: ast.Call) -> list[list[str]] | None:
    """The names of the axes of each operand of an einsum and of its result."""
    equation = asks.flow.text_constant(call.args[0]) if call.args else ""
    if "->" not in equation or "." in equation:
        return None
    inputs, _, output = equation.partition("->")
    words = " " in equation.replace(", ", ",").replace(" ->", "->").replace("-> ", "->").strip()
    split: Callable[[str], list[str]] = str.split if words else lambda t: [*t.strip()]
    return [split(term) for term in (*inputs.split(","), output)]


def rearranged(asks: Layouts, call: ast.Call, base: Axes, env: Env) -> Axes | None:
    """Of `rearrange(x, "b (h d) n -> (b h) n d", h=heads)`."""
    pattern = asks.flow.text_constant(call.args[1]) if len(call.args) > 1 else ""
    left, _, right = pattern.partition("->")
    groups, result = _groups(left), _groups(right)
    known = ranked(base, len(groups))
    if not result or known is None or known.whole is None or "..." in pattern:
        return None
    named = {k.arg: asks.size(k.value, env) for k in call.keywords if k.arg}
    factors: dict[str, tuple[Size, ...]] = {}
    for group, axis in zip(groups, known.whole, strict=True):
        _name_factors(call, group, axis, named, factors)
    made = [tuple(f for name in group for f in factors.get(name, ())) for group in result]
    return Axes(tuple(Axis(each) for each in made), scores=base.scores)


def _groups(side: str) -> list[list[str]]:
    return [(group if group or not one else one).split() for group, one in PATTERN.findall(side)]


def _name_factors(
    call: ast.Call,
    group: list[str],
    axis: Axis,
    named: dict[str, Size],
    factors: dict[str, tuple[Size, ...]],
) -> None:
    if len(group) == 1:
        factors[group[0]] = axis.factors
    elif len(group) == len(axis.factors):
        factors.update({name: (f,) for name, f in zip(group, axis.factors, strict=True)})
    else:
        known = [named[name] for name in group if name in named]
        rest = axis.size / product(tuple(known)) if axis.factors else ONE
        open_ = len(group) - len(known)
        for name in group:
            fresh = rest if open_ == 1 else symbolic((call, name))
            factors[name] = (named.get(name, fresh),)
