"""A running program: a running total keeps the graph of every step alive."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from weakref import ref

from keng.model import say
from keng.run.events import Backward, ForwardEnd, Paused, StepEnd
from keng.run.graph.growing import Chains
from keng.run.graph.holders import Holder, find_holder
from keng.run.recorder import Recorder
from keng.run.sampling import LookRows
from keng.run.state import RunState

if TYPE_CHECKING:
    from keng.run.state import Mark

MANY = 16
"""Graphs that are held, one from each of as many steps in a row, before it is reported: a window over the
last few losses is no leak."""


class HeldGraphs(Recorder):
    """Losses are marked at their backward, outputs at the forward that makes them from data. A graph
    is held when it has outlived two optimizer steps, or, in evaluation, the batches after it."""

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
        self.unused.append(ref(mark))
        alive = [m for r in self.unused[-MANY:] if (m := r()) is not None]
        if len(alive) == MANY:
            self._say([m for r in self.unused if (m := r()) is not None])

    def _say(self, marks: list[Mark]) -> None:
        """At 16, 32, 64 ... graphs: finding the holder is expensive."""
        if len(marks) < max(MANY, 2 * self.said):
            return
        self.said = len(marks)
        found = find_holder(set(marks))
        if found is not None:
            _report(self, found.holder, len(marks), int(found.bytes_a_graph * len(marks)))


CHAINED = 128
"""The last row of looks: who forgets to detach does it from the first step on."""


class GrowingGraphs(Recorder):
    """Averages and sums whose graphs grow at each step, which no module's output is marked in."""

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.rows = LookRows()
        self.chains = Chains()

    def step_end(self, event: StepEnd) -> None:
        if self.run.step < self.rows.due:
            return
        there = self.chains.look(not self.rows.look, self.rows.row)
        if not self.rows.looked():
            return
        if found := self.chains.judge(there):
            holder, size = found
            _report(self, holder, self.run.step, size)
        if self.rows.row > CHAINED:
            self.ignore(StepEnd)


def _report(recorder: Recorder, holder: Holder, graphs: int, size: int) -> None:
    """`size` is in bytes. What holds graphs in a container of fixed length is not reported."""
    if not holder.bounded:
        megabytes = f"{size / 2**20:.2g}"
        says = say("holds-graphs", holder=holder.name, graphs=graphs, size=megabytes)
        recorder.report(says, where=holder.where, graphs=graphs, holder=holder.name, bytes=size)
