"""A running program: an average of the weights is almost the last weights, since its two factors are swapped."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from keng.model import Span, say
from keng.pitfalls.training._shared_run import averages_of, path_to, tensors_of
from keng.run.events import NewOptimizer, Step
from keng.run.optimizers import parameters_of, sample_of
from keng.run.recorder import Recorder
from keng.run.state import RunState, unwatched
from keng.run.user_code import codes, line

SEARCHES = (20, 60)
"""Steps after which averages are looked for: a decay that begins small has grown by then."""
TIMES, LOOKS = 3, 12
"""Steps in a row with the same share, and steps that are compared."""
SHARE = 0.9
"""Share of the last weights that an average takes in at a step."""
ALIKE = 0.003
"""How far shares may be apart, and values from what the share gives, relative to the step."""
ROUNDED = 1e-6
"""Rounding of weights, relative to their size."""
LARGEST = 4
"""Tensors that are compared."""


@dataclass(slots=True, eq=False)
class Average:
    """`places` are the tensors of `holder` that are compared: a dictionary may get other ones. `last` holds their
    values at the last step, `live` the parameters of the same places."""

    holder: Any
    places: list[int]
    live: list[Tensor]
    last: Tensor
    shares: list[float] = field(default_factory=list)

    def values(self) -> Tensor:
        held = tensors_of(self.holder)
        return _values([held[at] for at in self.places])


class SwappedAverages(Recorder):
    """Finds, from two steps, the share `s` with which an average becomes `(1 - s) * average + s * weights`. A
    share of exactly 1 is a copy, which is meant."""

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.optimizers = self.steps = self.looks = 0
        self.averages: list[Average] = []

    def new_optimizer(self, event: NewOptimizer) -> None:
        self.optimizers += 1

    def step(self, event: Step) -> None:
        self.steps += self.optimizers > 0
        with unwatched():
            if self.averages:
                self._look()
            elif self.steps in SEARCHES:
                self.averages = list(_found(event.optimizer))
        if self.looks == LOOKS or (self.steps > SEARCHES[-1] and not self.averages):
            self.averages = []
            self.ignore(Step)

    def _look(self) -> None:
        self.looks += 1
        for each in list(self.averages):
            now = each.values()
            share = _share(each.last, now, _values(each.live))
            each.last = now
            each.shares = [*each.shares, share] if share >= SHARE else []
            recent = each.shares[-TIMES:]
            if len(recent) == TIMES and max(recent) - min(recent) < ALIKE:
                self._report(each, recent[-1])
                self.averages.remove(each)

    def _report(self, average: Average, share: float) -> None:
        name = path_to(average.holder) or type(average.holder).__name__
        values = {"name": name, "share": f"{share:.4g}", "kept": f"{1 - share:.2g}"}
        self.report(say("keeps-little", **values), where=_updated_at())


def _found(optimizer: Any) -> list[Average]:
    live = parameters_of(optimizer)
    found = []
    for holder in averages_of(optimizer):
        held = tensors_of(holder)
        if [t.shape for t in held] != [p.shape for p in live]:
            continue
        places = sorted(range(len(held)), key=lambda at: -held[at].numel())[:LARGEST]
        if all(held[at].is_floating_point() for at in places):
            last = _values([held[at] for at in places])
            found.append(Average(holder, places, [live[at] for at in places], last))
    return found


def _values(tensors: list[Tensor]) -> Tensor:
    return torch.cat([sample_of(t).double().cpu() for t in tensors])


def _share(before: Tensor, now: Tensor, weights: Tensor) -> float:
    """The share of the weights that an average has taken in; 0 where it is no such average, or a copy."""
    toward, moved = weights - before, now - before
    length = float(toward.norm())
    noise = ROUNDED * float(weights.norm()) / length if length else 1.0
    share = float(moved @ toward) / length**2 if length else 0.0
    apart = float((moved - share * toward).norm()) / length if length else 1.0
    known = apart < ALIKE and share < 1 - max(4 * noise, 1e-5)
    return share if known else 0.0


def _updated_at() -> Span | None:
    """The one line of the program that has an operation of averages in place."""
    lines = {
        line(code, call)
        for code in codes()
        for name in ("lerp_", "mul_", "_foreach_lerp_", "_foreach_mul_")
        for call in code.calls.method_calls(name)
    }
    return lines.pop() if len(lines) == 1 else None
