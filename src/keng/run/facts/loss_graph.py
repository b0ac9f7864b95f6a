"""The graph of a loss before its backward: its operations, their shapes and types."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from keng.model import Span
from keng.run.events import Backward
from keng.run.graph.nodes import MOST, output_of
from keng.run.operation_lines import line_in, line_of
from keng.run.recorder import Fact, Recorder
from keng.run.state import RunState, tensors_in

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module


FIRST, EVERY = 4, 500
"""The first graphs, and then one of so many."""


class LossGraph(Fact):
    """A backward is about to begin at `losses`."""

    losses: list[Tensor]

    @cached_property
    def nodes(self) -> list[tuple[Any, Module | None]]:
        """All nodes from the losses on, each with the module that computed it, if any."""
        waiting: list[tuple[Any, Any]] = [(t.grad_fn, None) for t in self.losses]
        seen: dict[Any, Any] = {}
        while waiting and len(seen) < MOST:
            node, module = waiting.pop()
            if node is None or node in seen:
                continue
            own = output_of(node)  # a module may have a length, and so be false
            module = module if own is None else own
            seen[node] = module
            waiting.extend((after, module) for after, _ in node.next_functions)
        return list(seen.items())

    def layer_name(self, node: Any) -> str:
        """The linear layer that an operation is; of a model's several outputs only the first is marked."""
        if not node.name().startswith("Addmm"):
            return ""
        leaf = getattr(node.next_functions[0][0], "variable", None)
        return self.run.parameter_name(leaf).rpartition(".")[0] if leaf is not None else ""

    def line(self, operation: str, inside: Module | None) -> Span | None:
        """Of an operation: in the functions that run now, or in the forward of a module."""
        return line_of(operation) if inside is None else line_in(inside, operation)


class LossGraphs(Recorder):
    """Shows the first graphs, and then now and then one."""

    provides = (LossGraph,)
    sampled = (Backward,)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.backwards = -1

    def backward(self, event: Backward) -> None:
        if not event.accumulates:
            return
        self.backwards += 1
        if self.backwards >= FIRST and self.backwards % EVERY:
            return
        losses = [t for t in tensors_in(event.outputs) if t.grad_fn is not None]
        if losses:
            self.show(LossGraph(self.run, losses))
