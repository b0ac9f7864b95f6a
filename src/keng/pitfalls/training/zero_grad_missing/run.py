"""A running program: gradients are never cleared between the steps."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, ref

from keng.model import Span, say
from keng.run.events import Backward, NewOptimizer, Paused, Step, StepEnd
from keng.run.frames import here, name_of, spoken
from keng.run.graph.nodes import LEAF, nodes_of
from keng.run.recorder import Recorder
from keng.run.state import RunState, memory_of, unwatched

if TYPE_CHECKING:
    from torch import Tensor
    from torch.optim import Optimizer

SAMPLE = 2
"""Parameters that are checked: the small ones, whose gradients are cheap to read."""
IN_A_ROW = 2
"""Steps."""


@dataclass(slots=True)
class Used:
    """A gradient as an optimizer left it."""

    parameter: ref[Tensor]
    address: int
    """Of the numbers, or of the tensor, where it is sparse and its numbers move as it grows."""
    version: int

    def now(self) -> Tensor | None:
        """The same gradient, where it is still there."""
        parameter = self.parameter()
        grad = parameter.grad if parameter is not None else None
        if grad is None:
            return None
        address = grad._cdata if grad.is_sparse else grad.data_ptr()
        return grad if address == self.address else None


@dataclass(slots=True)
class Ledger:
    parameters: list[ref[Tensor]]
    used: list[Used] = field(default_factory=list)
    backwards: int = 0
    judged: int = 0
    carried: int = 0
    place: Span | None = None


class CarriedGradients(Recorder):
    """After a step the gradients are noted. If at each backward pass until the next step of the same
    optimizer they are still there, untouched at first and never zero, they were not cleared: a GAN's
    discriminator gets gradients from its generator's backward, but clears them before its own."""

    dormant = (Step,)
    sampled = (Backward, Step, StepEnd)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.ledgers: WeakKeyDictionary[Optimizer, Ledger] = WeakKeyDictionary()
        self.live: list[Ledger] = []

    def paused(self, event: Paused) -> None:
        for ledger in self.live:
            ledger.used, ledger.carried = [], 0

    def backward(self, event: Backward) -> None:
        if not event.accumulates:
            return
        for ledger in self.live:
            # Most programs set gradients to None, and are done here.
            first = ledger.used[0].parameter() if ledger.used else None
            if ledger.used and (
                first is None or first.grad is None or ledger.used[0].now() is None
            ):
                ledger.used, ledger.carried = [], 0
            elif ledger.used:
                ledger.used = [u for u in ledger.used if self._uncleared(u, ledger.backwards == 0)]
                ledger.backwards += 1
                if ledger.used:
                    ledger.place = here()
                    self.listen(Step)
                else:
                    ledger.place, ledger.carried = None, 0

    def _uncleared(self, used: Used, first: bool) -> bool:
        grad = used.now()
        # Scaled by hand between steps: a momentum of the user's own.
        if grad is None or (first and grad._version != used.version):
            return False
        with unwatched():
            return bool(grad._nnz() if grad.is_sparse else grad.count_nonzero())

    def step(self, event: Step) -> None:
        ledger = self.ledgers.get(event.optimizer)
        if ledger is None:
            return
        if not any(ledger.used for ledger in self.live):
            self.ignore(Step)
        if ledger.backwards:
            self._judge(event.optimizer, ledger)

    def _judge(self, optimizer: Any, ledger: Ledger) -> None:
        ledger.judged = ledger.backwards
        grown = any(
            (grad := u.now()) is not None and grad._version > u.version for u in ledger.used
        )
        ledger.carried = ledger.carried + 1 if grown else 0
        if ledger.carried >= IN_A_ROW:
            says = say("adds-to-used", optimizer=spoken(optimizer))
            self.report(says, where=ledger.place, steps_in_a_row=ledger.carried)

    def step_end(self, event: StepEnd) -> None:
        optimizer = event.optimizer
        ledger = self.ledgers.get(optimizer)
        if ledger is None:
            ledger = self.ledgers[optimizer] = Ledger(_small_ones(optimizer))
            self.live.append(ledger)
        if not ledger.used:
            ledger.carried = 0
        elif ledger.backwards > ledger.judged or not ledger.backwards:
            self._judge(optimizer, ledger)  # a closure goes back while the optimizer steps
        ledger.backwards = ledger.judged = 0
        ledger.used = []
        for parameter in ledger.parameters:
            grad = p.grad if (p := parameter()) is not None else None
            if grad is not None:
                address = grad._cdata if grad.is_sparse else grad.data_ptr()
                ledger.used.append(Used(parameter, address, grad._version))


def _small_ones(optimizer: Optimizer) -> list[ref[Tensor]]:
    parameters = [
        p for group in optimizer.param_groups for p in group["params"] if p.grad is not None
    ]
    return [ref(p) for p in sorted(parameters, key=lambda p: p.numel())[:SAMPLE]]


SEARCHES = 32
"""Graphs that are searched for leaves, where those known have no old gradients: most programs clear
them."""
LOOKED_AT = 4
SMALL = 4096
OFF = 0.01
"""How far a move may be from a multiple of the gradient, the same as the last time: other moves are no
steps along it."""


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


class HandMovedTensors(Recorder):
    """In programs without optimizers, before a backward adds to the gradients: a few small tensors that
    the last one gave gradients to. Where they are now shows what has moved them, if anything."""

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
        known = name_of(tensor) or self.run.parameter_name(tensor)
        named = say("adds-to-moved", tensor=known)
        says = named if known else say("adds-to-moved-tensor")
        self.report(says, where=self.place, steps_in_a_row=self.steps)


def _is_in_memory(tensor: Tensor) -> bool:
    """Whether the numbers of a tensor are there: FSDP frees those of a whole parameter between its uses,
    and to read them ends the process."""
    return memory_of(tensor)[1] >= tensor.nbytes


def _gradient(tensor: Tensor | None) -> Tensor | None:
    grad = tensor.grad if tensor is not None else None
    return grad if grad is not None and not grad.is_sparse else None
