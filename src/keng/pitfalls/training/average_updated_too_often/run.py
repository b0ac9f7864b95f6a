"""A running program: an average of the weights takes them in again before they have changed."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from torch.nn import Module

from keng.model import Span, say
from keng.pitfalls.training._shared_run import averages_of, path_to
from keng.run.events import Backward, NewOptimizer, Paused, Step
from keng.run.frames import here
from keng.run.recorder import Recorder
from keng.run.state import RunState, unwatched
from keng.run.user_code import last_word, running

SEARCHES = 4
"""Steps of several backwards after which averages are looked for."""
PLAIN = 16
"""Steps of one backward each, after which a program is taken to add nothing up."""
STEPS = 4
"""Steps in a row before which an average has changed between two backwards."""
UNTIL = 64
READERS = {"eval", "train", "state_dict", "load_state_dict", "to", "parameters", "requires_grad_"}


@dataclass(slots=True)
class Average:
    """Something that holds tensors of the shapes of what is trained, and is in no optimizer. `state` is the
    first of them as it was last seen: another tensor, or another version of it. `holder` keeps it alive."""

    holder: Any
    name: str
    state: tuple[int, int]
    changed: bool = False
    steps: int = 0


class RepeatedAverages(Recorder):
    """Between two backwards of one step the weights stay, so that an average that changes there takes in the
    same weights again: it forgets the older ones the faster, the more batches a step has."""

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.optimizers = self.steps = self.rounds = self.searches = 0
        self.averages: list[Average] = []

    def new_optimizer(self, event: NewOptimizer) -> None:
        self.optimizers += 1

    def paused(self, event: Paused) -> None:
        self.rounds = 0

    def backward(self, event: Backward) -> None:
        self.rounds += event.accumulates
        for each in self.averages:
            state = _state_of(each.holder)
            # Before the first backward it follows the last step.
            each.changed |= self.rounds > 1 and state != each.state
            each.state = state

    def step(self, event: Step) -> None:
        several, self.rounds = self.rounds > 1, 0
        self.steps += 1
        for each in self.averages:
            each.steps = each.steps + 1 if each.changed else 0
            each.changed = False
            if each.steps == STEPS:
                self._report(each)
        if several and self.optimizers == 1 and not self.averages and self.searches < SEARCHES:
            self.searches += 1
            with unwatched():
                self.averages = list(_averages(event.optimizer))
        done = self.steps >= (UNTIL if self.searches else PLAIN)
        if done or self.optimizers > 1 or any(each.steps == STEPS for each in self.averages):
            self.averages = []
            self.ignore(Backward, Step)

    def _report(self, average: Average) -> None:
        says = say("same-weights-again", average=average.name)
        self.report(says, where=_updated_at(average.name) or here())


def _averages(optimizer: Any) -> Iterator[Average]:
    for holder in averages_of(optimizer):
        yield Average(holder, path_to(holder) or type(holder).__name__, _state_of(holder))


def _state_of(holder: Any) -> tuple[int, int]:
    first = next(iter(holder.parameters() if isinstance(holder, Module) else holder.values()), None)
    return (id(first), first._version) if first is not None else (0, 0)


def _updated_at(name: str) -> Span | None:
    """The one call in the running function that has the average, or what holds it, as its object or an
    argument."""
    now = running()
    if now is None or not name:
        return None
    code, body, frame = now
    words = {*name.split(".")} - {"self"}
    lines = {
        node.lineno
        for node in code.below(body, ast.Call)
        if isinstance(node.func, ast.Attribute)
        and node.func.attr not in READERS
        and words & {last_word(each) for each in (node.func.value, *node.args)}
    }
    return Span(frame.f_code.co_filename, lines.pop()) if len(lines) == 1 else None
