"""Shapes and memory layouts of tensors, where the program gives them in numbers."""

from __future__ import annotations

import ast
from math import prod
from typing import NamedTuple

from keng.source.flow import Flow, integer
from keng.source.names import Names
from keng.source.project.trees import Trees
from keng.source.tree import Tree
from keng.source.types.infer import Types

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


class Shapes:
    def __init__(self, tree: Tree, trees: Trees) -> None:
        self.tree = tree
        self.trees = trees
        self.names = trees.ask(Names, tree)
        self.flow = trees.ask(Flow, tree)
        self.types = trees.ask(Types, tree)

    def of(self, tree: Tree) -> Shapes:
        """The same subject of another file."""
        return self if tree is self.tree else self.trees.ask(Shapes, tree)

    def layout(self, node: ast.expr | None, depth: int = 8) -> Layout | None:
        """How a tensor lies in memory; None where that is not known."""
        if isinstance(node, ast.Name) and depth:
            return self.layout(self.flow.assigned_value(node), depth - 1)
        if not isinstance(node, ast.Call):
            return None
        if self.names.resolve(node.func) in FACTORIES:
            sizes = self.sizes(node)
            return Layout.contiguous(sizes) if sizes and -1 not in sizes else None
        if isinstance(node.func, ast.Attribute) and depth:
            base = self.layout(node.func.value, depth - 1)
            return self._moved(node, node.func.attr, base)
        return None

    def _moved(self, call: ast.Call, method: str, base: Layout | None) -> Layout | None:
        sizes = self.sizes(call)
        if method in ("view", "reshape") and sizes:
            shape = filled(sizes, prod(base.shape)) if base else sizes
            return Layout.contiguous(shape) if shape and -1 not in shape else None
        if base is None:
            return None
        if method == "contiguous":
            return Layout.contiguous(base.shape)
        order = self.permutation(call, method, len(base.shape))
        return base.permuted(order) if order is not None else None

    def permutation(self, call: ast.Call, method: str, dims: int) -> list[int] | None:
        """The order in which a method puts the dimensions of a tensor; None where it is another one."""
        sizes = self.sizes(call)
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

    def sizes(self, call: ast.Call) -> tuple[int, ...]:
        """The numbers that a call is given, one by one or as one tuple; nothing where one is no number."""
        numbers = [integer(each) for each in given_sizes(call)]
        return tuple(n for n in numbers if n is not None) if None not in numbers else ()

    def samples(self, dataset: ast.expr | None) -> int | None:
        """How many samples a dataset has that is a tensor, or a TensorDataset of one."""
        made = self.types.value_of(dataset)
        if made.dotted == "torch.utils.data.TensorDataset" and made.call and made.call.args:
            dataset = made.call.args[0]
        known = self.layout(dataset)
        return known.shape[0] if known else None


def given_sizes(call: ast.Call) -> list[ast.expr]:
    """What a view, a permute or a factory is given, one by one or as one tuple."""
    if len(call.args) == 1 and isinstance(call.args[0], (ast.Tuple, ast.List)):
        return call.args[0].elts
    return call.args


def filled(sizes: tuple[int, ...], elements: int) -> tuple[int, ...] | None:
    """A shape with its one -1 computed; None where the elements do not fit it."""
    known = prod(size for size in sizes if size != -1)
    if sizes.count(-1) > 1 or not known or elements % known:
        return None
    shape = tuple(elements // known if size == -1 else size for size in sizes)
    return shape if prod(shape) == elements else None
