"""A layer of Code: how large a tensor is and how its memory lies, where the program says so in numbers."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise
from math import prod
from typing import NamedTuple

from keng.source.cuts import Cuts
from keng.source.edits import whole_number
from keng.source.values import UNKNOWN, Kind

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


class Layouts(Cuts):
    def layout(self, node: ast.expr | None, depth: int = 8) -> Layout | None:
        """How a tensor lies in memory; None where that is not known."""
        if isinstance(node, ast.Name) and depth:
            found = self.reaching(node)
            plain = len(found) == 1 and found[0].how == "assign" and not found[0].path
            return self.layout(found[0].value, depth - 1) if plain else None
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
        dims = len(base.shape)
        if method == "contiguous":
            return Layout.contiguous(base.shape)
        if method == "permute" and sorted(n % dims for n in sizes) == list(range(dims)):
            return base.permuted([n % dims for n in sizes])
        if method == "t" and dims == 2:
            return base.permuted([1, 0])
        if method in ("transpose", "swapaxes") and len(sizes) == 2:
            order = list(range(dims))
            one, other = sizes[0] % dims, sizes[1] % dims
            order[one], order[other] = other, one
            return base.permuted(order)
        return None

    def _sizes(self, call: ast.Call) -> tuple[int, ...]:
        """The numbers that a call is given, one by one or as one tuple; nothing where one is no number."""
        given = call.args
        if len(given) == 1 and isinstance(given[0], (ast.Tuple, ast.List)):
            given = given[0].elts
        numbers = [signed(each) for each in given]
        return tuple(n for n in numbers if n is not None) if None not in numbers else ()

    def views_that_fail(self) -> Iterator[ast.Call]:
        """The calls of `view` on tensors whose memory does not lie in that order."""
        for call in self.method_calls("view"):
            assert isinstance(call.func, ast.Attribute)
            base, sizes = self.layout(call.func.value), self._sizes(call)
            new = filled(sizes, prod(base.shape)) if base and sizes else None
            if base and new and not base.fits(new):
                yield call

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
        for loop in self.of(ast.For):
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
