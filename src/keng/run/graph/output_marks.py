"""Marks the graphs of modules' outputs, once for all recorders."""

from __future__ import annotations

from weakref import ref

from keng.run.events import ForwardEnd, Paused, RootModule
from keng.run.recorder import Recorder


class OutputMarks(Recorder):
    """The first of all recorders, for the others read what it has marked. A mark is a Python object on the
    C++ side of a graph, expensive to create and to delete: in a pause there is none, for nobody reads it."""

    prepares = (ForwardEnd,)
    sampled = (ForwardEnd,)

    def root_module(self, event: RootModule) -> None:
        self.run.roots[event.module] = None

    def paused(self, event: Paused) -> None:
        self.run.marked = None

    def forward_end(self, event: ForwardEnd) -> None:
        outputs = event.outputs
        self.run.marked = None
        if outputs and outputs[0].grad_fn is not None:
            mark = self.run.mark(outputs[0], output=True, module=event.module)
            self.run.marked = ref(mark) if mark is not None else None
