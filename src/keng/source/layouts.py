"""A layer of Code: how large a tensor is and how its memory lies, where the program says so in numbers."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise
from math import prod
from typing import NamedTuple

from keng.source.cuts import Cuts
from keng.source.edits import whole_number
from keng.source.feeding import is_whole, parts_of, runs_backwards
from keng.source.values import UNKNOWN, Kind

SHAPED_LIKE_FIRST = frozenset(
    f"torch.nn.functional.{name}" for name in ("softmax", "log_softmax", "dropout", "relu", "gelu")
)
"""Functions whose result lies in memory as their first argument does."""
SHAPED_LIKE_SELF = frozenset({"softmax", "masked_fill", "clone", "relu", "to", "float", "type_as"})
FACTORIES = frozenset(f"torch.{name}" for name in ("zeros", "ones", "empty", "rand", "randn"))


class Layout(NamedTuple):
    """Sizes and strides, in elements."""

    shape: tuple[int, ...]
    strides: tuple[int, ...]

    @classmethod
    def contiguous(cls, shape: tuple[int, ...]) -> Layout:
        return cls(shape, tuple(prod(shape[n + 1 :]) for n in range(len(shape))))

    def permuted(self, order: list[int]) -> Layout:
        return Layout(tuple(self.shape[n] for n in order), tuple(self.strides[n] for n in order))

    def fits(self, new: tuple[int, ...]) -> bool:
        """Whether the same memory can be viewed in another shape: as ATen's computeStride decides, the
        dimensions that lie in one piece are split and joined among themselves."""
        at, base, old, seen = len(new) - 1, self.strides[-1], 1, 1
        for n in reversed(range(len(self.shape))):
            old *= self.shape[n]
            joined = n and (self.shape[n - 1] == 1 or self.strides[n - 1] == old * base)
            if joined:
                continue
            while at >= 0 and (seen < old or new[at] == 1):
                seen, at = seen * new[at], at - 1
            if seen != old:
                return False
            base, old, seen = self.strides[n - 1], 1, 1
        return at == -1


class Named(NamedTuple):
    """Sizes as they are written, and where each dimension stood when the memory was in order."""

    sizes: tuple[str, ...]
    order: tuple[int, ...]

    @classmethod
    def in_order(cls, sizes: list[str]) -> Named | None:
        known = sizes and not any(size.startswith("*") for size in sizes)
        return cls(tuple(sizes), tuple(range(len(sizes)))) if known else None

    def permuted(self, order: list[int]) -> Named:
        return Named(tuple(self.sizes[n] for n in order), tuple(self.order[n] for n in order))

    def joins_apart(self, new: list[str]) -> bool:
        """Whether a view in other sizes joins dimensions that do not lie in one piece: those that keep
        their size at the front and the back aside, fewer are asked for than there are pieces."""
        sizes, order = list(self.sizes), list(self.order)
        while sizes and new and sizes[-1] == new[-1]:
            del sizes[-1], order[-1], new[-1]
        while sizes and new and sizes[0] == new[0]:
            del sizes[0], order[0], new[0]
        pieces = 1 + sum(after != before + 1 for before, after in pairwise(order))
        plain = not any(size.startswith("*") for size in new)
        return plain and 0 < len(new) < pieces and order != sorted(order)


class Layouts(Cuts):
    def layout(self, node: ast.expr | None, depth: int = 8) -> Layout | None:
        """How a tensor lies in memory; None where that is not known."""
        if isinstance(node, ast.Name) and depth:
            return self.layout(self.assigned(node), depth - 1)
        if not isinstance(node, ast.Call):
            return None
        if self.resolve(node.func) in FACTORIES:
            sizes = self._sizes(node)
            return Layout.contiguous(sizes) if sizes and -1 not in sizes else None
        if isinstance(node.func, ast.Attribute) and depth:
            base = self.layout(node.func.value, depth - 1)
            return self._moved(node, node.func.attr, base)
        return None

    def _moved(self, call: ast.Call, method: str, base: Layout | None) -> Layout | None:
        sizes = self._sizes(call)
        if method in ("view", "reshape") and sizes:
            shape = filled(sizes, prod(base.shape)) if base else sizes
            return Layout.contiguous(shape) if shape and -1 not in shape else None
        if base is None:
            return None
        if method == "contiguous":
            return Layout.contiguous(base.shape)
        order = self._permutation(call, method, len(base.shape))
        return base.permuted(order) if order is not None else None

    def _permutation(self, call: ast.Call, method: str, dims: int) -> list[int] | None:
        """The order in which a method puts the dimensions of a tensor; None where it is another one."""
        sizes = self._sizes(call)
        if method == "permute" and sorted(n % dims for n in sizes) == list(range(dims)):
            return [n % dims for n in sizes]
        if method == "t" and dims == 2:
            return [1, 0]
        if method in ("transpose", "swapaxes") and len(sizes) == 2:
            order = list(range(dims))
            one, other = sizes[0] % dims, sizes[1] % dims
            order[one], order[other] = other, one
            return order
        return None

    def _sizes(self, call: ast.Call) -> tuple[int, ...]:
        """The numbers that a call is given, one by one or as one tuple; nothing where one is no number."""
        numbers = [signed(each) for each in given_sizes(call)]
        return tuple(n for n in numbers if n is not None) if None not in numbers else ()

    def views_that_fail(self) -> Iterator[ast.Call]:
        """The calls of `view` on tensors whose memory does not lie in that order."""
        for call in self.method_calls("view"):
            assert isinstance(call.func, ast.Attribute)
            base, sizes = self.layout(call.func.value), self._sizes(call)
            new = filled(sizes, prod(base.shape)) if base and sizes else None
            told = base and new and not base.fits(new)
            if told or (not base and self._joins_apart(call)):
                yield call

    def _joins_apart(self, call: ast.Call) -> bool:
        """Whether a view joins dimensions that a transposition has moved apart, told by the sizes as
        they are written: `x.view(b, t, h, d).transpose(1, 2).view(b, t, h * d)`."""
        assert isinstance(call.func, ast.Attribute)
        named = self.named_layout(call.func.value)
        if named is None or any(size == "1" for size in named.sizes):
            return False
        return named.joins_apart([ast.unparse(size) for size in given_sizes(call)])

    def named_layout(self, node: ast.expr | None, depth: int = 8) -> Named | None:
        """How a tensor lies in memory, its sizes as they are written, "" where that does not show; None
        where it is not known that it was in order at first."""
        if isinstance(node, ast.Name) and depth:
            found = self.reaching(node)
            if len(found) != 1 or found[0].how != "assign":
                return None
            value, path = found[0].value, found[0].path
            if isinstance(value, (ast.GeneratorExp, ast.ListComp)) and len(path) == 1:
                return self.named_layout(value.elt, depth - 1)
            return self.named_layout(value, depth - 1) if not path else None
        if isinstance(node, ast.BinOp) and self._is_number(node.right) and depth:
            return self.named_layout(node.left, depth - 1)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult) and depth:
            return self._named_product(node.left, node.right, depth)
        if isinstance(node, ast.Call) and depth:
            return self._named_by(node, depth)
        return None

    def _named_product(self, left: ast.expr, right: ast.expr, depth: int) -> Named | None:
        """A product of matrices, which is new in memory."""
        sides = [self.named_layout(side, depth - 1) for side in (left, right)]
        ranks = [len(side.sizes) for side in sides if side is not None]
        return Named.in_order([""] * max(ranks)) if ranks and max(ranks) > 2 else None

    def _is_number(self, node: ast.expr) -> bool:
        """Whether an operand is a plain number, so that the result lies as the other one does."""
        computed = isinstance(node, ast.Call) and self.resolve(node.func).startswith("math.")
        return computed or self.kind_of(node) is Kind.NUMBER

    def _named_by(self, call: ast.Call, depth: int) -> Named | None:
        method = call.func
        dotted = self.resolve(method)
        if dotted in SHAPED_LIKE_FIRST and call.args:
            return self.named_layout(call.args[0], depth - 1)
        if dotted in ("torch.matmul", "torch.bmm") and len(call.args) == 2:
            return self._named_product(call.args[0], call.args[1], depth)
        if dotted or not isinstance(method, ast.Attribute):
            return None
        if method.attr in ("view", "reshape"):
            return Named.in_order([ast.unparse(size) for size in given_sizes(call)])
        base = self.named_layout(method.value, depth - 1)
        if base is None or method.attr in SHAPED_LIKE_SELF:
            return base
        order = self._permutation(call, method.attr, len(base.sizes))
        return base.permuted(order) if order is not None else None

    def sliced_backwards(self) -> Iterator[tuple[ast.Subscript, int | None]]:
        """Tensors that are sliced with a negative step, and the dimension where nothing but the order of
        one changes."""
        for item in self.of(ast.Subscript):
            if runs_backwards(item.slice) and self.kind_of(item.value) is Kind.TENSOR:
                yield item, turned(parts_of(item.slice))

    # batches

    def samples(self, dataset: ast.expr | None) -> int | None:
        """How many samples a dataset has that is a tensor, or a TensorDataset of one."""
        made = self.value_of(dataset)
        if made.dotted == "torch.utils.data.TensorDataset" and made.call and made.call.args:
            dataset = made.call.args[0]
        known = self.layout(dataset)
        return known.shape[0] if known else None

    def last_batch_of_one(self, loader: ast.Call) -> tuple[int, int] | None:
        """Samples and batch size of a DataLoader whose last batch holds a single sample."""
        given = self.argument(loader, "batch_size", 1)
        size = 1 if given is None else whole_number(given)
        samples = self.samples(self.argument(loader, "dataset", 0))
        drops = self.argument(loader, "drop_last", 8)
        kept = drops is None or self.is_constant(drops, False)
        if samples is None or not size or not kept or (size > 1 and samples % size != 1):
            return None
        return samples, size

    def forwards_of_single_samples(self) -> Iterator[tuple[ast.Call, int, int]]:
        """Calls of models with a batch norm right behind a linear layer, in loops over a DataLoader that
        ends with a single sample; its samples and batch size."""
        for loop in self.of(ast.For) if self.project.says(b"BatchNorm1d", self.path) else ():
            made = self._loader_made(loop.iter)
            single = self.last_batch_of_one(made) if made is not None else None
            for call in self.below(loop, ast.Call) if single else ():
                if single and call.args and self._norm_behind_linear(call.func):
                    yield call, *single

    def _loader_made(self, node: ast.expr | None) -> ast.Call | None:
        """The call that made the DataLoader a loop goes through, wrapped or not."""
        while isinstance(node, ast.Call) and node.args and self.kind_of(node) is not Kind.LOADER:
            node = node.args[0]
        value = self.value_of(node) if node is not None else UNKNOWN
        return value.call if value.dotted == "torch.utils.data.DataLoader" else None

    def _norm_behind_linear(self, model: ast.expr) -> bool:
        made = self.value_of(model)
        parts = (
            self.parts_of(made.call) if made.dotted == "torch.nn.Sequential" and made.call else []
        )
        names = [self.value_of(part).dotted for part in parts]
        return ("torch.nn.Linear", "torch.nn.BatchNorm1d") in pairwise(names)


def given_sizes(call: ast.Call) -> list[ast.expr]:
    """What a view, a permute or a factory is given, one by one or as one tuple."""
    if len(call.args) == 1 and isinstance(call.args[0], (ast.Tuple, ast.List)):
        return call.args[0].elts
    return call.args


def turned(parts: list[ast.expr]) -> int | None:
    """The dimension that an index turns round (`::-1`) where it takes all of the others."""
    back = [n for n, part in enumerate(parts) if ast.unparse(part) == "::-1"]
    first = parts[0]
    from_end = isinstance(first, ast.Constant) and first.value is ...
    if len(back) != 1 or not all(
        map(is_whole, (*parts[from_end : back[0]], *parts[back[0] + 1 :]))
    ):
        return None
    return back[0] - len(parts) if from_end else back[0]


def signed(node: ast.expr) -> int | None:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        number = whole_number(node.operand)
        return -number if number is not None else None
    return whole_number(node)


def filled(sizes: tuple[int, ...], elements: int) -> tuple[int, ...] | None:
    """A shape with its one -1 computed; None where the elements do not fit it."""
    known = prod(size for size in sizes if size != -1)
    if sizes.count(-1) > 1 or not known or elements % known:
        return None
    shape = tuple(elements // known if size == -1 else size for size in sizes)
    return shape if prod(shape) == elements else None
