"""Shapes of tensors in symbols: sizes that a program unpacks, products and quotients of them, and numbers.

A size that is not known is a symbol of its own, so that two sizes are equal only where they surely are.
A shape whose number of dimensions is not known keeps those at its end (`Shape.whole` is False). What is not
known as a shape at all is None.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from keng.source.calls import Calls
from keng.source.classes import Classes
from keng.source.flow import Flow
from keng.source.flow import integer as whole_number
from keng.source.names import Binding, Names
from keng.source.project.trees import Trees
from keng.source.shapes import FACTORIES, given_sizes
from keng.source.tree import Tree, part_at
from keng.source.types.infer import Types

Symbol = tuple[object, ...]
KEEPS = frozenset(
    "contiguous clone detach to float half double cuda cpu type_as softmax log_softmax sigmoid tanh relu "
    "exp log abs clamp masked_fill masked_fill_ neg sqrt pow div mul dropout gelu silu elu leaky_relu "
    "bool long int requires_grad_ normalize layer_norm nan_to_num".split()
)
"""Methods and functions of one tensor that keep its shape."""
KEEPING_LAYERS = frozenset(
    f"torch.nn.{name}"
    for name in (
        *(
            "Dropout",
            "LayerNorm",
            "BatchNorm1d",
            "BatchNorm2d",
            "BatchNorm3d",
            "GroupNorm",
            "ReLU",
            "GELU",
        ),
        *(
            "Sigmoid",
            "Tanh",
            "Softmax",
            "LogSoftmax",
            "LeakyReLU",
            "ELU",
            "SiLU",
            "Identity",
            "InstanceNorm2d",
        ),
    )
)
REDUCES = frozenset("sum mean amax amin prod std var argmax argmin all any norm logsumexp".split())
RECURRENT = frozenset({"torch.nn.RNN", "torch.nn.GRU", "torch.nn.LSTM"})
ADAPTIVE = ("AdaptiveAvgPool", "AdaptiveMaxPool")
FARTHEST = 24
"""Steps from value to value."""


class Size(NamedTuple):
    """A number times powers of symbols: `3 * h * w`, `c / heads`."""

    number: Fraction
    powers: frozenset[tuple[Symbol, int]] = frozenset()

    def __mul__(self, other: object) -> Size:
        assert isinstance(other, Size)
        return self._with(other, 1)

    def __truediv__(self, other: Size) -> Size:
        return self._with(other, -1)

    def _with(self, other: Size, sign: int) -> Size:
        powers = dict(self.powers)
        for symbol, power in other.powers:
            powers[symbol] = powers.get(symbol, 0) + sign * power
        number = self.number * other.number if sign > 0 else self.number / other.number
        return Size(number, frozenset((s, n) for s, n in powers.items() if n))

    @property
    def symbol(self) -> Symbol | None:
        """The one symbol that the size is; None where it is a number, or composed."""
        match [*self.powers]:
            case [(symbol, 1)] if self.number == 1:
                return symbol
        return None

    @property
    def constant(self) -> int | None:
        return int(self.number) if not self.powers and self.number.denominator == 1 else None


ONE = Size(Fraction(1))


class Shape(NamedTuple):
    """The sizes of a tensor. Where it is not `whole`, those of its last dimensions."""

    sizes: tuple[Size, ...]
    whole: bool = True

    def at(self, dimension: int) -> Size | None:
        """The size of a dimension, counted from the end where that is negative."""
        if dimension < 0:
            return self.sizes[dimension] if -dimension <= len(self.sizes) else None
        return self.sizes[dimension] if self.whole and dimension < len(self.sizes) else None

    def with_last(self, size: Size) -> Shape:
        return Shape((*self.sizes[:-1], size), self.whole)

    def place(self, dimension: int | None) -> int | None:
        """The place of a dimension in `sizes`; None where it is not there."""
        if dimension is None or not self.whole:
            return None
        at = dimension % len(self.sizes) if self.sizes else 0
        return at if -len(self.sizes) <= dimension < len(self.sizes) else None


def product(sizes: tuple[Size, ...]) -> Size:
    whole = ONE
    for size in sizes:
        whole *= size
    return whole


class Dimensions:
    def __init__(self, tree: Tree, trees: Trees) -> None:
        self.tree = tree
        self.trees = trees
        self.names = trees.ask(Names, tree)
        self.classes = trees.ask(Classes, tree)
        self.flow = trees.ask(Flow, tree)
        self.calls = trees.ask(Calls, tree)
        self.types = trees.ask(Types, tree)
        self._shapes: dict[ast.AST, Shape | None] = {}
        self._steps = 0

    def shape(self, node: ast.AST | None) -> Shape | None:
        """The shape of a tensor; None where nothing is known of it, or the value is none."""
        if node is None or self._steps > FARTHEST:
            return None
        if node not in self._shapes:
            self._shapes[node] = None  # what depends on itself
            self._steps += 1
            try:
                self._shapes[node] = self._shape(node)
            finally:
                self._steps -= 1
        return self._shapes[node]

    def _shape(self, node: ast.AST) -> Shape | None:
        match node:
            case ast.Name():
                return self._of_name(node)
            case ast.Call():
                return self._of_call(node)
            case ast.BinOp(op=ast.MatMult()):
                return _multiplied(self.shape(node.left), self.shape(node.right))
            case ast.BinOp():
                return self._broadcast(node.left, node.right)
            case ast.Compare(comparators=[right]):
                return self._broadcast(node.left, right)
            case ast.UnaryOp():
                return self.shape(node.operand)
            case ast.Subscript():
                return self._indexed(self.shape(node.value), node.slice)
            case ast.Attribute(attr="T" | "mT", value=inner):
                shape = self.shape(inner)
                swaps = shape is not None and shape.whole and len(shape.sizes) == 2
                return Shape(shape.sizes[::-1]) if shape is not None and swaps else None
        return None

    def _of_name(self, name: ast.Name) -> Shape | None:
        found = self.flow.reaching_definitions(name)
        if len(found) != 1 or self.flow.carried_definitions(name):
            return None
        binding = found[0]
        known = self._assigned(binding) if binding.how == "assign" else None
        unpacked = self._unpacked.get(binding.node)
        return known if unpacked is None or (known is not None and known.whole) else unpacked

    def _assigned(self, binding: Binding) -> Shape | None:
        if not binding.path:
            return self.shape(binding.value)
        if isinstance(binding.value, ast.Call):
            return self._part_of_call(binding.value, binding.path)
        return self.shape(part_at(binding.value, binding.path))

    @cached_property
    def _unpacked(self) -> dict[ast.AST, Shape]:
        """Of the bindings of names whose shapes the file unpacks: `b, n, c = x.shape`."""
        found: dict[ast.AST, Shape] = {}
        for statement in self.tree.nodes(ast.Assign):
            of, target = _all_sizes_of(statement.value), statement.targets[0]
            if of is None or not isinstance(target, ast.Tuple) or len(statement.targets) != 1:
                continue
            starred = any(isinstance(each, ast.Starred) for each in target.elts)
            bound = self.flow.reaching_definitions(of)
            if not starred and len(bound) == 1:
                sizes = tuple(_unknown(bound[0].node, n) for n in range(len(target.elts)))
                found.setdefault(bound[0].node, Shape(sizes))
        return found

    def unpacked(self, binding: Binding) -> Shape | None:
        """The shape of what a name is given, where the file unpacks all of its sizes."""
        return self._unpacked.get(binding.node)

    # sizes

    def size(self, node: ast.AST | None) -> Size:
        """A size of a dimension; what is not known is a symbol of its own."""
        match node:
            case ast.Constant(value=int(number)) if number > 0:
                return Size(Fraction(number))
            case ast.Name():
                return self._size_of_name(node)
            case ast.BinOp(op=ast.Mult()):
                return self.size(node.left) * self.size(node.right)
            case ast.BinOp(op=ast.FloorDiv() | ast.Div()):
                return self.size(node.left) / self.size(node.right)
            case ast.Call(func=ast.Name(id="int"), args=[inner]):
                return self.size(inner)
            case ast.Subscript(value=whole, slice=at):
                return self._size_read(node, _all_sizes_of(whole), integer(at))
            case ast.Call(func=ast.Attribute(attr="size", value=ast.Name() as of), args=[at]):
                return self._size_read(node, of, integer(at))
            case ast.Attribute(value=owner) if self.classes.self_class(owner) is not None:
                return symbolic(("self", node.attr))
        return symbolic((node,))

    def _size_of_name(self, name: ast.Name) -> Size:
        found = self.flow.reaching_definitions(name)
        if len(found) != 1:
            return symbolic((name,))
        binding = found[0]
        if binding.how == "assign" and not binding.path:
            opaque = isinstance(
                binding.value, (ast.BinOp, ast.Constant, ast.Name, ast.Subscript, ast.Call)
            )
            return self.size(binding.value) if opaque else symbolic((binding.node,))
        of = _all_sizes_of(binding.value)
        if binding.how == "assign" and of is not None and len(binding.path) == 1:
            return self._size_read(binding.node, of, binding.path[0])
        return symbolic((binding.node,))

    def _size_read(self, node: ast.AST, of: ast.Name | None, at: int | None) -> Size:
        """One size of a tensor with a name."""
        if of is None or at is None:
            return symbolic((node,))
        shape, bound = self.shape(of), self.flow.reaching_definitions(of)
        if shape is not None and (known := shape.at(at)) is not None:
            return known
        return _unknown(bound[0].node, at) if len(bound) == 1 else symbolic((node,))

    # calls

    def _of_call(self, call: ast.Call) -> Shape | None:
        dotted = self.names.resolve(call.func)
        if dotted in FACTORIES:
            given = given_sizes(call)
            known = given and not (self._may_be_sizes(call) or _starred(given))
            return Shape(tuple(map(self.size, given))) if known else None
        if dotted.startswith("torch."):
            return self._of_function(call, dotted.rpartition(".")[2])
        if isinstance(call.func, ast.Attribute) and not dotted:
            method = METHODS.get(call.func.attr)
            base = self.shape(call.func.value)
            if method is not None:
                return method(self, call, base, call.args) if base is not None else None
            if call.func.attr in ("view", "reshape"):
                return self._viewed(call, base)
            if call.func.attr in KEEPS and base is not None:
                return base
        return self._of_layer(call)

    def _of_function(self, call: ast.Call, name: str) -> Shape | None:
        if name in ("cat", "concat", "stack"):
            return self._joined(call, name)
        base = self.shape(call.args[0]) if call.args else None
        if base is None:
            return None
        if name in ("matmul", "bmm") and len(call.args) == 2:
            return _multiplied(base, self.shape(call.args[1]))
        method = METHODS.get(name)
        if method is not None:
            return method(self, call, base, call.args[1:])
        return base if name in KEEPS else None

    def _may_be_sizes(self, call: ast.Call) -> bool:
        """Whether the one thing that a call is given may hold all sizes: `zeros(shape)`, not `zeros(4)`,
        `zeros([4])` or `zeros(x.size(0))`."""
        if len(call.args) != 1 or isinstance(call.args[0], (ast.Tuple, ast.List)):
            return False
        size = self.size(call.args[0])
        opaque = size.symbol is not None and isinstance(size.symbol[0], ast.AST)
        read = opaque and size.symbol is not None and len(size.symbol) > 1
        return opaque and not read

    def _viewed(self, call: ast.Call, base: Shape | None) -> Shape | None:
        """`-1` is what is left of the elements, where these are known."""
        given = given_sizes(call)
        if not given or _starred(given) or self._may_be_sizes(call):
            return None
        open_ = [n for n, each in enumerate(given) if integer(each) == -1]
        sizes = [ONE if n in open_ else self.size(each) for n, each in enumerate(given)]
        if open_:
            known = base is not None and base.whole
            rest = product(base.sizes) / product(tuple(sizes)) if base and known else None
            sizes[open_[0]] = rest if rest is not None else symbolic((given[open_[0]],))
        return Shape(tuple(sizes))

    def _joined(self, call: ast.Call, name: str) -> Shape | None:
        parts = call.args[0] if call.args else None
        if not isinstance(parts, (ast.Tuple, ast.List)):
            return None
        shapes = [self.shape(part) for part in parts.elts]
        known = next((s for s in shapes if s is not None and s.whole), None)
        at = self._number(call, 1, default=0)
        if known is None or at is None:
            return None
        if name == "stack":
            place = at % (len(known.sizes) + 1)
            new = Size(Fraction(len(shapes)))
            return Shape((*known.sizes[:place], new, *known.sizes[place:]))
        where = known.place(at)
        if where is None:
            return None
        return Shape((*known.sizes[:where], symbolic((call,)), *known.sizes[where + 1 :]))

    def _of_layer(self, call: ast.Call) -> Shape | None:
        """What a layer makes of its input, by the arguments that it was created with."""
        value = self.types.value_of(call.func)
        made, given = value.call, self.shape(call.args[0]) if call.args else None
        if made is None or not value.dotted.startswith("torch.nn."):
            return None
        name = value.dotted.removeprefix("torch.nn.")
        if value.dotted in KEEPING_LAYERS:
            return given
        home = self if made in self.tree.parent else None
        if name == "Linear":
            if given is not None and _same_text(made.args[:2]):
                return given
            out = self._made_with(home, made, "out_features", 1)
            return (
                given.with_last(out) if given is not None and given.sizes else Shape((out,), False)
            )
        if name == "Embedding" and given is not None and given.whole:
            return Shape((*given.sizes, self._made_with(home, made, "embedding_dim", 1)))
        if name.startswith(ADAPTIVE):
            one = self._made_with(home, made, "output_size", 0) == ONE
            return Shape((ONE,) * int(name[-2]), False) if one else None
        if name.startswith("Conv") and given is not None and given.whole:
            out = self._made_with(home, made, "out_channels", 1)
            rest = tuple(symbolic((call, n)) for n in range(len(given.sizes) - 2))
            return Shape((given.sizes[0], out, *rest))
        return None

    def _made_with(self, home: Dimensions | None, made: ast.Call, name: str, position: int) -> Size:
        given = self.calls.argument(made, name, position)
        if home is None and integer(given) is None:
            return symbolic((made, name))
        return self.size(given) if given is not None else symbolic((made, name))

    def _part_of_call(self, call: ast.Call, path: tuple[int, ...]) -> Shape | None:
        """A part of what a call gives as several: a state of an RNN, a chunk, values of a maximum."""
        made = self.types.value_of(call.func)
        if made.dotted in RECURRENT and made.call is not None:
            return self._recurrent(call, made.dotted, made.call, path)
        if isinstance(call.func, ast.Attribute) and call.func.attr in (
            "chunk",
            "max",
            "min",
            "topk",
            "sort",
        ):
            base = self.shape(call.func.value)
            if call.func.attr in ("sort",):
                return base
        return None

    def _recurrent(
        self, call: ast.Call, dotted: str, made: ast.Call, path: tuple[int, ...]
    ) -> Shape | None:
        """`(output, state)` of an RNN: the state has (layers * directions, batch, width), the batch being a
        dimension of the input where that is known."""
        options = {k.arg: k.value for k in made.keywords}
        width = self._made_with(self if made in self.tree.parent else None, made, "hidden_size", 1)
        both = "bidirectional" in options and self.flow.is_true(options["bidirectional"])
        asked = options.get("bidirectional")
        if asked is not None and not isinstance(asked, ast.Constant):
            return None
        first = self.flow.is_true(options["batch_first"]) if "batch_first" in options else False
        given = self.shape(call.args[0]) if call.args else None
        batch = given.at(0 if first else 1) if given is not None and len(given.sizes) == 3 else None
        layers = options.get("num_layers", made.args[2] if len(made.args) > 2 else None)
        count = Size(Fraction(1)) if layers is None else self.size(layers)
        state = (count * Size(Fraction(1 + both)), batch or symbolic((call, "batch")), width)
        if path == ((1, 0) if dotted.endswith("LSTM") else (1,)) or path == (1, 1):
            return Shape(state)
        return None

    def _number(self, call: ast.Call, position: int, default: int | None = None) -> int | None:
        given = next((k.value for k in call.keywords if k.arg in ("dim", "axis")), None)
        if given is None and len(call.args) > position:
            given = call.args[position]
        return default if given is None else integer(given)

    # arithmetic and indices

    def _broadcast(self, left: ast.expr, right: ast.expr) -> Shape | None:
        one, other = self.shape(left), self.shape(right)
        if one is None or other is None:
            scalar = right if other is None else left
            number = isinstance(scalar, ast.Constant) or self.types.kind_of(scalar).name == "NUMBER"
            return (one or other) if number else None
        if not (one.whole and other.whole):
            return one if one == other else None
        return Shape(tuple(_aligned(one.sizes, other.sizes)))

    def _indexed(self, base: Shape | None, places: ast.expr) -> Shape | None:
        if base is None or not base.whole:
            return None
        left, sizes = list(base.sizes), list[Size]()
        given = places.elts if isinstance(places, ast.Tuple) else [places]
        after = sum(not isinstance(g, ast.Constant) or g.value is not None for g in given) - 1
        for n, each in enumerate(given):
            match each:
                case ast.Slice(lower=None, upper=None, step=None) if left:
                    sizes.append(left.pop(0))
                case ast.Slice() if left:
                    left.pop(0)
                    sizes.append(symbolic((each,)))
                case ast.Constant(value=None):
                    sizes.append(ONE)
                case ast.Constant(value=value) if value is ...:
                    kept = len(left) - (after - n)
                    sizes, left = [*sizes, *left[:kept]], left[kept:]
                case _ if integer(each) is not None and left:
                    left.pop(0)
                case _:
                    return None
        return Shape((*sizes, *left))


def _unsqueezed(
    asks: Dimensions, call: ast.Call, base: Shape, given: list[ast.expr]
) -> Shape | None:
    at = asks._number(call, len(call.args) - len(given))
    if at is None or not base.whole:
        return None
    place = at % (len(base.sizes) + 1)
    return Shape((*base.sizes[:place], ONE, *base.sizes[place:]))


def _squeezed(asks: Dimensions, call: ast.Call, base: Shape, given: list[ast.expr]) -> Shape | None:
    at = base.place(asks._number(call, len(call.args) - len(given)))
    if at is None or base.sizes[at].constant is None:
        return None
    return Shape((*base.sizes[:at], *base.sizes[at + 1 :])) if base.sizes[at] == ONE else base


def _transposed(
    asks: Dimensions, call: ast.Call, base: Shape, given: list[ast.expr]
) -> Shape | None:
    places = [base.place(integer(each)) for each in given]
    if len(places) != 2 or None in places:
        return None
    sizes = list(base.sizes)
    one, other = (place or 0 for place in places)
    sizes[one], sizes[other] = sizes[other], sizes[one]
    return Shape(tuple(sizes))


def _permuted(asks: Dimensions, call: ast.Call, base: Shape, given: list[ast.expr]) -> Shape | None:
    one = given[0] if len(given) == 1 else None
    order = one.elts if isinstance(one, (ast.Tuple, ast.List)) else given
    places = [base.place(integer(each)) for each in order]
    if sorted(p for p in places if p is not None) != list(range(len(base.sizes))):
        return None
    return Shape(tuple(base.sizes[place or 0] for place in places))


def _reduced(asks: Dimensions, call: ast.Call, base: Shape, given: list[ast.expr]) -> Shape | None:
    at = base.place(asks._number(call, len(call.args) - len(given)))
    if at is None:
        return None
    keeps = any(k.arg == "keepdim" and asks.flow.is_true(k.value) for k in call.keywords)
    keeps = keeps or (len(given) > 1 and asks.flow.is_true(given[1]))
    return Shape((*base.sizes[:at], *([ONE] if keeps else []), *base.sizes[at + 1 :]))


def _flattened(
    asks: Dimensions, call: ast.Call, base: Shape, given: list[ast.expr]
) -> Shape | None:
    ends = [integer(each) for each in given] if not call.keywords else [None]
    first, last = ([*ends, -1] if len(ends) == 1 else ends) if ends else (0, -1)
    start, stop = base.place(first), base.place(last)
    if start is None or stop is None or start > stop:
        return None
    return Shape(
        (*base.sizes[:start], product(base.sizes[start : stop + 1]), *base.sizes[stop + 1 :])
    )


Move = Callable[[Dimensions, ast.Call, Shape, "list[ast.expr]"], "Shape | None"]
METHODS: dict[str, Move] = {
    "unsqueeze": _unsqueezed,
    "squeeze": _squeezed,
    "transpose": _transposed,
    "swapaxes": _transposed,
    "permute": _permuted,
    "flatten": _flattened,
    **dict.fromkeys(REDUCES, _reduced),
}


def _starred(given: list[ast.expr]) -> bool:
    return any(isinstance(each, ast.Starred) for each in given)


def _all_sizes_of(node: ast.AST | None) -> ast.Name | None:
    """The tensor whose shape an expression is, where it has a name."""
    match node:
        case ast.Attribute(value=ast.Name() as of, attr="shape"):
            return of
        case ast.Call(
            func=ast.Attribute(value=ast.Name() as of, attr="size"), args=[], keywords=[]
        ):
            return of
    return None


def _same_text(nodes: list[ast.expr]) -> bool:
    """Whether two expressions are written alike: `Linear(width, width)` keeps the size that it is given."""
    return len(nodes) == 2 and ast.unparse(nodes[0]) == ast.unparse(nodes[1])


def integer(node: ast.AST | None) -> int | None:
    return whole_number(node) if isinstance(node, ast.expr) else None


def symbolic(key: Symbol) -> Size:
    """A size that is known by a key alone."""
    return Size(Fraction(1), frozenset({(key, 1)}))


def _unknown(bound: ast.AST, at: int) -> Size:
    """The size of a dimension of a tensor that a name was given."""
    return symbolic((bound, at))


def _multiplied(one: Shape | None, other: Shape | None) -> Shape | None:
    """Of `one @ other`, matrices in the last two dimensions."""
    if one is None or other is None or not (one.whole and other.whole):
        return None
    if len(one.sizes) < 2 or len(one.sizes) != len(other.sizes):
        return None
    return Shape((*one.sizes[:-1], other.sizes[-1]))


def _aligned(one: tuple[Size, ...], other: tuple[Size, ...]) -> Iterator[Size]:
    length = max(len(one), len(other))
    for n in range(-length, 0):
        left = one[n] if -n <= len(one) else ONE
        right = other[n] if -n <= len(other) else ONE
        yield right if left == ONE else left
