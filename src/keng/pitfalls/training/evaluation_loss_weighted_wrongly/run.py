"""A running program: an evaluation adds up means of batches whose numbers of targets differ."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import torch

from keng.model import Span, say
from keng.run.events import InferenceEnd, LossEnd, RunEnd, StepEnd
from keng.run.frames import here, user_frames
from keng.run.recorder import Recorder
from keng.run.state import RunState, unwatched

FEWEST, TIMES = 3, 3
"""Losses of an evaluation, and those after which a variable has grown by what belongs to the one before."""
UNEQUAL, APART = 1.5, 0.1
"""Times the fewest targets of a batch; share by which the result is wrong."""
NEAR = 1e-4
"""How far the growth of a variable may be from a loss, or from a loss times a number."""
EVALUATIONS, DEPTH = 6, 3
"""Evaluations that are followed; functions of the program whose variables are read."""
REDUCTION, MEAN = 3, 1
IGNORE_INDEX = {"cross_entropy": 4, "nll_loss": 4}
"""Where a loss function takes its `ignore_index`."""

Numbers = dict[tuple[int, str], float]
"""Identity of a frame and name of a variable -> a number."""


@dataclass(slots=True)
class Sums:
    """The losses of one line since the last step, each with its rows and its targets. `grown` counts how often a
    variable has grown by the last loss itself, by the loss times its rows, or times its targets."""

    where: Span | None
    losses: list[tuple[float, int, int]] = field(default_factory=list)
    numbers: Numbers = field(default_factory=dict)
    grown: dict[str, int] = field(default_factory=lambda: {"once": 0, "rows": 0, "targets": 0})

    def grow(self, numbers: Numbers) -> None:
        if self.losses:
            loss, rows, targets = self.losses[-1]
            steps = [
                value - self.numbers[key] for key, value in numbers.items() if key in self.numbers
            ]
            for name, factor in (("once", 1), ("rows", rows), ("targets", targets)):
                wanted = loss * factor
                self.grown[name] += any(abs(step - wanted) <= NEAR * abs(wanted) for step in steps)
        self.numbers = numbers

    def weight(self) -> str:
        """By what the losses are weighted, where that is known and is not the number of targets."""
        if len(self.losses) < FEWEST or self.grown["targets"] >= TIMES - 1:
            return ""
        known = [
            name
            for name in ("rows", "once")
            if self.grown[name] >= min(TIMES, len(self.losses) - 1)
        ]
        return known[0] if len(known) == 1 else ""

    def means(self, weight: str) -> tuple[float, float]:
        """The mean that the program computes, and that over all targets."""
        used = [(loss, rows if weight == "rows" else 1) for loss, rows, _ in self.losses]
        mean = sum(loss * w for loss, w in used) / sum(w for _, w in used)
        count = sum(targets for *_, targets in self.losses)
        return mean, sum(loss * targets for loss, _, targets in self.losses) / count


class SummedLosses(Recorder):
    """Losses without gradients that are means over the targets that count, so that batches with more padding have
    fewer. How the program adds them up shows in its variables."""

    dormant = (LossEnd, StepEnd)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.sums: Sums | None = None
        self.evaluations = 0

    def inference_end(self, event: InferenceEnd) -> None:
        if self.evaluations < EVALUATIONS:
            self.ignore(InferenceEnd)
            self.listen(LossEnd, StepEnd)

    def step_end(self, event: StepEnd) -> None:
        """Training continues: until the next evaluation there is nothing to follow."""
        self._close()
        self.ignore(LossEnd, StepEnd)
        if self.evaluations < EVALUATIONS:
            self.listen(InferenceEnd)

    def run_end(self, event: RunEnd) -> None:
        self._close()

    def loss_end(self, event: LossEnd) -> None:
        at = IGNORE_INDEX.get(event.function)
        if at is None or torch.is_grad_enabled() or len(event.args) <= at:
            return
        target, output = event.args[1], event.output
        if event.args[REDUCTION] != MEAN or not target.is_cpu or target.dim() < 1 or output.dim():
            return
        where = here()
        if self.sums is None or self.sums.where != where:
            self._close()
            self.sums = Sums(where)
        with unwatched():
            targets = int((target != event.args[at]).sum())
            self.sums.grow(_numbers())
            rows = _rows(target)
            self.sums.losses.append((float(output), rows, targets))

    def _close(self) -> None:
        sums, self.sums = self.sums, None
        weight = sums.weight() if sums is not None else ""
        if sums is None or len(sums.losses) < FEWEST:
            return
        self.evaluations += 1
        counts = [targets for *_, targets in sums.losses]
        if not weight or min(counts) == 0 or max(counts) < UNEQUAL * min(counts):
            return
        mean, right = sums.means(weight)
        if math.isfinite(mean) and abs(mean - right) > APART * abs(right):
            numbers = {"mean": f"{mean:.3g}", "right": f"{right:.3g}"}
            values = {**numbers, "fewest": min(counts), "most": max(counts)}
            by_rows = weight == "rows"
            says = (
                say("weighted-by-rows", **values) if by_rows else say("weighted-by-once", **values)
            )
            self.report(says, where=sums.where)


def _rows(target: Any) -> int:
    """Of the batch: of the first variable whose numbers the targets are, before they were flattened."""
    for frame in _frames():
        for value in list(frame.f_locals.values()):
            same = (
                isinstance(value, torch.Tensor) and value.dim() > 1 and value.dtype == target.dtype
            )
            if same and value.numel() == target.numel():
                return len(value)
    return len(target)


def _numbers() -> Numbers:
    """The variables of the running functions that are numbers, or tensors of one on the CPU."""
    found: Numbers = {}
    for frame in _frames():
        for name, value in list(frame.f_locals.items()):
            if (
                (isinstance(value, torch.Tensor) and value.dim() == 0 and value.is_cpu)
                or isinstance(value, float)
                or type(value) is int
            ):
                found[id(frame), name] = float(value)
    return found


def _frames() -> Iterator[Any]:
    for at, frame in enumerate(user_frames()):
        if at == DEPTH:
            return
        yield frame
