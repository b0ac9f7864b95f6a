"""A running program: the loss has risen above its start, and a constant prediction would be better."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import torch

from keng.model import Message, say
from keng.run.device_reads import Underway
from keng.run.events import Backward, LossEnd, NewOptimizer, RootModule, Step, StepEnd
from keng.run.frames import here, spoken
from keng.run.recorder import Recorder
from keng.run.state import RunState, unwatched
from keng.run.step_sizes import StepSizes

if TYPE_CHECKING:
    from torch import Tensor

EVERY = 10
"""Steps from one look to the next; the first is at the first step."""
LOOKS = 6
"""The last looks, at each of which the loss is too high. A new task or a drop of the data recovers sooner."""
TIMES = 1.5
"""Times the loss of a constant prediction, and times the first loss."""
NO_BETTER = 0.9
"""Share of the loss of a constant prediction above which as good as nothing has been learned."""
REDUCTION = {
    "cross_entropy": 3,
    "mse_loss": 2,
    "l1_loss": 2,
    "smooth_l1_loss": 2,
    "binary_cross_entropy_with_logits": 4,
}
MEAN = 1
PASSED_ON = ("MulBackward0", "DivBackward0", "NegBackward0", "MeanBackward0")
"""Operations by which a loss becomes what backward is called on: scales, signs."""


@dataclass(slots=True)
class Course:
    """The first loss, and those of the last looks, each with that of a constant prediction."""

    first: float = math.nan
    last: list[tuple[float, float]] = field(default_factory=list)
    late: Underway | None = None

    def add(self, loss: float, guess: float) -> None:
        if math.isnan(self.first):
            self.first = loss
        self.last = [*self.last[1 - LOOKS :], (loss, guess)]

    def rises(self) -> bool:
        loss, guess = self.last[-1]
        if len(self.last) < LOOKS or not TIMES * max(guess, self.first) < loss < math.inf:
            return False
        return all(TIMES * max(g, self.first) < each < math.inf for each, g in self.last)

    def stays(self) -> bool:
        """Whether no loss of the last looks is better than that of a constant prediction."""
        return len(self.last) == LOOKS and all(
            NO_BETTER * guess < loss < math.inf for loss, guess in self.last
        )


class RisingLosses(Recorder):
    """The loss that backward is called on, of a program with one optimizer: several make each other's loss
    rise. On a device a loss is read at the next look, when it has long been computed. A loss that stays that
    of a constant prediction is reported too, where the first steps have replaced the weights."""

    sampled = (LossEnd, Backward)
    dormant = (LossEnd, Step, StepEnd)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.optimizers: list[Any] = []
        self.courses: dict[str, Course] = {}
        self.last: tuple[str, tuple[Any, ...], Tensor] | None = None
        self.sizes = StepSizes()

    def root_module(self, event: RootModule) -> None:
        if self.run.step == 1:
            self.listen(LossEnd)

    def new_optimizer(self, event: NewOptimizer) -> None:
        self.optimizers.append(event.optimizer)
        if self.sizes.add(event.optimizer):
            self.listen(Step, StepEnd)
        if len(self.optimizers) > 1:
            self.ignore(LossEnd, Backward, NewOptimizer, RootModule, Step, StepEnd)
            self.courses.clear()
            self.optimizers.clear()

    def step(self, event: Step) -> None:
        with unwatched():
            self.sizes.before(event.optimizer)

    def step_end(self, event: StepEnd) -> None:
        with unwatched():
            if self.sizes.after(event.optimizer):
                self.ignore(Step, StepEnd)

    def loss_end(self, event: LossEnd) -> None:
        at = REDUCTION.get(event.function, 99)
        counts = len(event.args) > at and event.args[at] == MEAN and event.output.requires_grad
        self.last = (event.function, event.args, event.output) if counts else None

    def backward(self, event: Backward) -> None:
        """The loss of the step after is listened to, where it is due: at all others this does nothing."""
        due, last = (self.run.step + 1) % EVERY == 0, self.last
        if due:
            self.listen(LossEnd)
        if last is None:
            return
        self.last = None
        if not due:
            self.ignore(LossEnd)
        if len(event.outputs) != 1 or not _is_made_of(event.outputs[0], last[2]):
            return
        function, args, output = last
        with unwatched():
            guess = _guessed(function, args)
            if guess is not None:
                self._look(
                    function, torch.stack([output.detach().float(), guess.to(output.device)])
                )

    def _look(self, function: str, pair: Tensor) -> None:
        course = self.courses.setdefault(function, Course())
        late, course.late = course.late, Underway(pair)
        ready = course.late if pair.is_cpu else late
        if ready is None or not ready.come():
            return
        course.add(*ready.values())
        large = self.sizes.too_large() if course.stays() else None
        if course.rises():
            self._report(course, self._rise(course))
        elif large is not None:
            loss, guess = course.last[-1]
            values = {**large.words(), "loss": f"{loss:.3g}", "guess": f"{guess:.3g}"}
            self._report(course, say("steps-replace-weights", **values))

    def _report(self, course: Course, says: Message) -> None:
        self.ignore(LossEnd, Backward, NewOptimizer, RootModule, Step, StepEnd)
        self.report(says, where=here(), loss=course.last[-1][0])

    def _rise(self, course: Course) -> Message:
        loss, guess = course.last[-1]
        optimizer = self.optimizers[0] if self.optimizers else None
        rates = [float(g["lr"]) for g in optimizer.param_groups] if optimizer is not None else []
        values = {
            "first": f"{course.first:.3g}",
            "loss": f"{loss:.3g}",
            "guess": f"{guess:.3g}",
            "optimizer": spoken(optimizer),
            "rate": f"{max(rates, default=0.0):.3g}",
        }
        return say("worse-than-constant", **values)


def _guessed(function: str, args: tuple[Any, ...]) -> Tensor | None:
    """The loss of a constant prediction, (): of all classes alike, or of zero."""
    given, target = args[0], args[1]
    if function == "cross_entropy":
        plain = args[2] is None and not target.is_floating_point() and given.dim() > 1
        known = plain and given.shape[1] > 1 and not _is_scaled(given)
        return torch.tensor(math.log(given.shape[1])) if known else None
    if function == "binary_cross_entropy_with_logits":
        return torch.tensor(math.log(2)) if args[2] is None and args[3] is None else None
    errors: Tensor = target.detach().float()
    return errors.square().mean() if function == "mse_loss" else errors.abs().mean()


def _is_made_of(output: Tensor, loss: Tensor) -> bool:
    """Whether it is the loss itself, apart from a factor."""
    if output is loss:
        return True
    node: Any = output.grad_fn
    for _ in range(4):
        if node is None or node is loss.grad_fn:
            return node is not None
        others = [after for after, _ in node.next_functions if after is not None]
        if node.name() not in PASSED_ON or len(others) != 1:
            return False
        node = others[0]
    return False


def _is_scaled(scores: Tensor) -> bool:
    """Scores that were multiplied by a number are meant to be large: margins on a sphere."""
    node: Any = scores.grad_fn
    return node is not None and node.name() in PASSED_ON[:2]
