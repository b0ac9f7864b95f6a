"""Tensors that are moved by hand along gradients which nobody clears."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING
from weakref import ref

from keng.model import Span
from keng.run.events import Backward, NewOptimizer
from keng.run.frames import here, name_of
from keng.run.graph.nodes import LEAF, nodes_of
from keng.run.moments import KeptGradients
from keng.run.recorder import Recorder
from keng.run.state import PlaceFacts, RunState, memory_of, unwatched

if TYPE_CHECKING:
    from torch import Tensor

SEARCHES = 32
"""Graphs that are searched for leaves, where those known have no old gradients: most programs clear them."""
LOOKED_AT = 4
SMALL = 4096
OFF = 0.01
"""How far a move may be from a multiple of the gradient, the same as the last time: other moves are no steps
along it."""


@dataclass(slots=True)
class Leaf:
    """A tensor and its gradient as they were before a backward."""

    tensor: ref[Tensor]
    value: Tensor
    grad: int = 0
    version: int = 0
    rate: float = 0.0

    def there(self) -> Tensor | None:
        tensor = self.tensor()
        return tensor if tensor is not None and _is_in_memory(tensor) else None

    def kept(self) -> Tensor | None:
        """The gradient, where the last backward has added to it and nothing was done to it since."""
        grad = _gradient(self.there())
        if grad is None or (grad._cdata, grad._version) != (self.grad, self.version + 1):
            return None
        return grad

    def stepped(self) -> bool:
        """Whether the tensor was moved along that."""
        tensor, grad = self.there(), self.kept()
        if tensor is None or grad is None:
            return False
        moved = (tensor.detach() - self.value).flatten().double()
        along = grad.flatten().double()
        if not along.any() or not moved.any():
            return False
        # A single number has always moved along its gradient, but not at one rate.
        before, self.rate = self.rate, float(moved @ along / along.square().sum())
        exact = (moved - self.rate * along).norm() < OFF * moved.norm()
        return bool(exact) and (not before or math.isclose(before, self.rate, rel_tol=OFF))

    def note(self) -> None:
        tensor = self.there()
        grad = _gradient(tensor)
        self.value = tensor.detach().clone() if tensor is not None else self.value
        self.grad, self.version = (grad._cdata, grad._version) if grad is not None else (0, 0)


class Leaves(Recorder):
    """In programs without optimizers, before a backward adds to the gradients: a few small tensors that the
    last one gave gradients to. What has moved them, if anything, is told by where they are."""

    provides = ("gradients.kept",)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.leaves: list[Leaf] = []
        self.searches = 0
        self.steps = 0
        self.place: Span | None = None

    def new_optimizer(self, event: NewOptimizer) -> None:
        self.leaves.clear()
        self.ignore(Backward)

    def backward(self, event: Backward) -> None:
        if not event.accumulates:
            return
        with unwatched():
            moved = [leaf for leaf in self.leaves if leaf.stepped()]
            if moved:
                # That the last backward has added to it is known now.
                self._say(moved[0].tensor())
                self.steps, self.place = self.steps + 1, here()
            # What accumulates gradients has not moved.
            elif not any(leaf.kept() is not None for leaf in self.leaves):
                self._search(event.outputs)
            for leaf in self.leaves:
                leaf.note()

    def _search(self, outputs: list[Tensor]) -> None:
        self.searches += 1
        if self.searches > SEARCHES:
            self.leaves.clear()
            self.ignore(Backward)
            return
        found = {
            id(node.variable): node.variable for node in nodes_of(outputs) if node.name() == LEAF
        }
        small = [
            tensor
            for tensor in found.values()
            if tensor.numel() <= SMALL
            and tensor.is_cpu
            and tensor.is_floating_point()
            and _is_in_memory(tensor)
        ]
        kept = sorted(small, key=lambda tensor: -tensor.numel())[:LOOKED_AT]
        self.leaves, self.steps = [Leaf(ref(t), t.detach().clone()) for t in kept], 0

    def _say(self, tensor: Tensor | None) -> None:
        if tensor is None or not self.steps:
            return
        name = name_of(tensor) or self.run.parameter_name(tensor)
        moment = KeptGradients(self.run.step, PlaceFacts(self.place), name, self.steps)
        self.run.show("gradients.kept", moment)


def _is_in_memory(tensor: Tensor) -> bool:
    """Whether the numbers of a tensor are there: FSDP frees those of a whole parameter between its uses,
    and to read them ends the process."""
    return memory_of(tensor)[1] >= tensor.nbytes


def _gradient(tensor: Tensor | None) -> Tensor | None:
    grad = tensor.grad if tensor is not None else None
    return grad if grad is not None and not grad.is_sparse else None
