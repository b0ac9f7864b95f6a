"""Marks the graphs that modules' outputs end in, once for all recorders."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from weakref import ref

from keng.run.bus import Recorder

if TYPE_CHECKING:
    from torch import Tensor


class Marks(Recorder):
    """First of all recorders, for the others ask for what it has found. A mark is a Python object on the
    C++ side of a graph, dear to make and to take down: in a pause there is nobody who would ask."""

    serves = "forward_end"
    in_stretches = ("forward_end",)

    def root(self, module: Any) -> None:
        self.scene.roots[module] = None

    def paused(self) -> None:
        self.scene.marked = None

    def forward_end(self, module: Any, inputs: list[Tensor], outputs: list[Tensor]) -> None:
        self.scene.marked = None
        if outputs and outputs[0].grad_fn is not None:
            mark = self.scene.mark(outputs[0], output=True, module=module)
            self.scene.marked = ref(mark) if mark is not None else None
