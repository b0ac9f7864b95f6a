"""Graphs of past steps that are still alive, and who holds them."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from keng.run.events import Backward, ForwardEnd, Paused, StepEnd
from keng.run.graph.holders import Found, find_holder
from keng.run.moments import HeldGraphs, Holder
from keng.run.recorder import Recorder
from keng.run.state import Facts, RunState

if TYPE_CHECKING:
    from keng.run.state import Mark

MANY = 16
"""Graphs held, one from each of as many steps in a row, before anything is said: a window over the
last few losses is nobody's leak."""


class GraphFacts(Facts):
    def __init__(self, marks: list[Mark]) -> None:
        self._marks = marks

    @cached_property
    def _found(self) -> Found | None:
        return find_holder(set(self._marks))

    def holder(self) -> Holder | None:
        return self._found.holder if self._found else None

    def bytes(self) -> int:
        return int(self._found.bytes_a_graph * len(self._marks)) if self._found else 0


class Graphs(Recorder):
    """Losses are marked at their backward, outputs at the forward that makes them from data. A graph
    is held when it has outlived two optimizer steps, or, in evaluation, the batches after it."""

    provides = ("graphs.held",)
    sampled = (ForwardEnd, Backward, StepEnd)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.said = 0
        self.unused: list[Any] = []

    def paused(self, event: Paused) -> None:
        self.unused = []

    def forward_end(self, event: ForwardEnd) -> None:
        module = event.module
        if module.training and self.run.marked is not None:
            return
        # What was made from another graph (a recurrent state, a generator's output) is part of that.
        if any(tensor.grad_fn is not None for tensor in event.inputs):
            return
        for tensor in event.outputs:
            if tensor.grad_fn is None:
                continue
            mark = self.run.mark(tensor, output=True, module=module)
            if mark is not None and not module.training:
                self._in_evaluation(mark)
            return

    def backward(self, event: Backward) -> None:
        self.unused = []
        if event.accumulates:
            for tensor in event.outputs:
                self.run.mark(tensor, output=False)

    def step_end(self, event: StepEnd) -> None:
        if len(self.run.marks) < MANY:
            self.said = 0
            return
        step = self.run.step
        held = [mark for mark in self.run.alive() if mark.step <= step - 2]
        for kind in (False, True):
            same = [mark for mark in held if mark.output is kind]
            steps = {mark.step for mark in same}
            if all(step - back in steps for back in range(2, MANY + 2)):
                self._say(same)
                return

    def _in_evaluation(self, mark: Mark) -> None:
        from weakref import ref

        self.unused.append(ref(mark))
        alive = [m for r in self.unused[-MANY:] if (m := r()) is not None]
        if len(alive) == MANY:
            self._say([m for r in self.unused if (m := r()) is not None])

    def _say(self, marks: list[Mark]) -> None:
        """At sixteen, thirty-two ...: to look for the holder is dear."""
        if len(marks) < max(MANY, 2 * self.said):
            return
        self.said = len(marks)
        self.run.show("graphs.held", HeldGraphs(self.run.step, GraphFacts(marks), len(marks)))
