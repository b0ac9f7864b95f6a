"""A running program: gradients of several batches are added up, and not divided."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, ref

import torch
from torch.multiprocessing.reductions import StorageWeakRef

from keng.model import Span, say
from keng.run.events import Backward, BackwardEnd, Batch, Clip, EpochEnd, LossEnd, Paused, Step
from keng.run.frames import here, spoken
from keng.run.recorder import Recorder
from keng.run.state import RunState, tensors_in

if TYPE_CHECKING:
    from torch import Tensor
    from torch.optim import Optimizer

REDUCTION = {
    "cross_entropy": 3, "nll_loss": 3, "binary_cross_entropy": 3, "mse_loss": 2, "l1_loss": 2,
    "smooth_l1_loss": 2, "huber_loss": 2, "binary_cross_entropy_with_logits": 4,
}  # fmt: skip
"""Where a loss function takes its reduction, which is 1 for the mean."""
AGAIN = 2
MANY = 256
"""Tensors of batches that were drawn ahead."""
NORMALIZING = {
    "Adadelta", "Adafactor", "Adagrad", "Adam", "AdamW", "Adamax", "Lamb", "Lion", "NAdam", "RAdam",
    "RMSprop", "Rprop", "SparseAdam",
}  # fmt: skip


class AccumulatedMeans(Recorder):
    """Rounds are backwards at one line, each of another batch, and each of a mean that nothing was done
    to. A loss that is divided is another tensor than the function gave. Batches are a loader's, or where
    there is none, targets that lie elsewhere than the last: several draws on one batch share its own.
    Where several batches were drawn together, each is known by its own targets."""

    dormant = (BackwardEnd,)
    sampled = (Batch, LossEnd, Backward, BackwardEnd, Clip, Step)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.mean: ref[Tensor] | None = None
        self.loader = False
        self.target = 0
        self.memory: StorageWeakRef | None = None
        self.batches = 0
        self.of_batch = 0
        self.ahead = set[int]()  # where batches lie that were drawn before the last was used
        self.lies = 0
        self.rounds = 0
        self.plain = True
        self.places: set[Span | None] = set()
        self.again: WeakKeyDictionary[Optimizer, tuple[int, int]] = WeakKeyDictionary()
        self.grad: tuple[ref[Tensor], int] | None = None
        self.watched: ref[Tensor] | None = None

    def paused(self, event: Paused) -> None:
        self.rounds, self.plain, self.places = 0, True, set()
        self.again.clear()

    def batch(self, event: Batch) -> None:
        if self.batches > self.of_batch and len(self.ahead) < MANY:
            self.ahead |= {
                t.data_ptr() for t in tensors_in(event.batch) if t.layout is torch.strided
            }
        self.loader = True
        self.batches += 1

    def epoch_end(self, event: EpochEnd) -> None:
        self.ahead.clear()

    def loss_end(self, event: LossEnd) -> None:
        args = event.args
        at = REDUCTION.get(event.function, len(args))
        if at >= len(args) or args[at] != 1:
            return
        self.mean = ref(event.output)
        self.lies = args[1].data_ptr() if self.ahead else 0
        if not self.loader:
            # A call more in each step of a training would cost more than these lines.
            lies, memory, storage = self.target, self.memory, args[1].untyped_storage()
            self.target, self.memory = args[1].data_ptr(), StorageWeakRef(storage)  # type: ignore[no-untyped-call]
            others = self.target != lies or memory is None or memory.expired()  # type: ignore[no-untyped-call]
            self.batches += bool(others) and args[1].numel() > 1

    def backward(self, event: Backward) -> None:
        if not event.accumulates:
            return
        same = self.mean is not None and self.mean() is event.outputs[0]
        another = self._is_another() if self.ahead else self.batches > self.of_batch
        self.plain = self.plain and same and another
        self.of_batch = self.batches
        self.rounds += 1
        if self.rounds > 1:
            self.listen(BackwardEnd)
        if self.rounds > 1 and self.plain:
            self.places.add(here())

    def _is_another(self) -> bool:
        """Whether this is the loss of another batch than the last one's."""
        drawn = self.lies in self.ahead
        self.ahead.discard(self.lies)
        return drawn or self.batches > self.of_batch

    def backward_end(self, event: BackwardEnd) -> None:
        grad = (
            parameter.grad if self.watched and (parameter := self.watched()) is not None else None
        )
        self.grad = (ref(grad), grad._version) if grad is not None else None

    def clip(self, event: Clip) -> None:
        """What has nothing to clip writes to the gradients all the same."""
        total_norm = event.total_norm
        read = isinstance(total_norm, torch.Tensor) and total_norm.is_cpu
        if not (self.rounds > 1 and read and self.grad and self._untouched()):
            return
        if float(total_norm) < float(event.max_norm):
            self.grad = self.grad[0], self.grad[1] + 1

    def step(self, event: Step) -> None:
        optimizer = event.optimizer
        if self.rounds > 1 and self.plain and len(self.places) == 1 and self._untouched():
            self._count(optimizer)
        elif self.again:
            self.again.pop(optimizer, None)
        self.rounds, self.plain, self.places = 0, True, set()
        self.ahead.clear()
        if self.watched is None or self.watched() is None:
            self.watched = ref(optimizer.param_groups[0]["params"][0])

    def _untouched(self) -> bool:
        """Whether the gradient is as the last backward left it: some divide that."""
        if self.grad is None:
            return False
        grad = self.grad[0]()
        return grad is not None and grad._version == self.grad[1]

    def _count(self, optimizer: Any) -> None:
        rounds, times = self.again.get(optimizer, (self.rounds, 0))
        times = times + 1 if rounds == self.rounds else 1
        self.again[optimizer] = self.rounds, times
        if times == AGAIN and type(optimizer).__name__ not in NORMALIZING:
            says = say("means-added-up", rounds=self.rounds, optimizer=spoken(optimizer))
            self.report(says, where=next(iter(self.places)), rounds=self.rounds)
