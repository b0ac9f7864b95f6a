"""Gradients that outlive the step that used them, and get new ones added."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, ref

from keng.model import Span
from keng.run.events import Backward, Paused, Step, StepEnd
from keng.run.frames import here, spoken
from keng.run.moments import CarriedGradients
from keng.run.recorder import Recorder
from keng.run.state import Facts, RunState, unwatched

if TYPE_CHECKING:
    from torch import Tensor
    from torch.optim import Optimizer

SAMPLE = 2
"""Parameters looked at; the small ones, whose gradients are cheap to look into."""


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


class CarriedFacts(Facts):
    def __init__(self, place: Span | None) -> None:
        self._place = place

    def place(self) -> Span | None:
        """The backward that added to them."""
        return self._place


class Carried(Recorder):
    """After a step the gradients are noted. If at each backward pass until the next step of the same
    optimizer they are still there, untouched at first and never zero, they were not cleared: a GAN's
    discriminator gets gradients from its generator's backward, but clears them before its own."""

    provides = ("gradients.carried",)
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
            if ledger.used and ledger.used[0].now() is None:
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
        if grown:
            name = spoken(optimizer)
            facts = CarriedFacts(ledger.place)
            moment = CarriedGradients(self.run.step, facts, name, ledger.carried)
            self.run.show("gradients.carried", moment)

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
