"""What the user's forward does between torch's functions: graphs that it cuts, masks of bytes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary, ref

import torch

from keng.model import Span
from keng.run.events import Forward, GraphCut, RootModule, Step, TensorIndexed
from keng.run.frames import here
from keng.run.graph.nodes import nodes_of
from keng.run.moments import ByteIndex, CutGraph
from keng.run.optimizers import holds
from keng.run.recorder import Recorder
from keng.run.replay.probe import may_probe
from keng.run.state import Facts, RunState, unwatched

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module

CALL = 2
"""The forward that is probed, of each module: the first is often another than the rest."""
NODES = 300
SPOKEN = {"__float__": "float()", "__int__": "int()", "__array__": "np.array()", "data": ".data"}


@dataclass(slots=True)
class Cut:
    operation: str
    where: Span | None
    detached: bool
    leaves: list[ref[Tensor]]


class Probing(Recorder):
    """A number that is only printed or logged cuts nothing: the parameters behind it still get their
    gradient. So it is the step that tells."""

    provides = ("graph.cut", "index.bytes")
    dormant = (Forward, Step)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.calls: WeakKeyDictionary[Module, int] = WeakKeyDictionary()
        self.open = 0  # modules whose turn is still to come
        self.cuts: list[Cut] = []
        self.detached: list[tuple[ref[Tensor], Span | None]] = []

    def root_module(self, event: RootModule) -> None:
        self.open += 1
        self.listen(Forward)

    def forward(self, event: Forward) -> None:
        module = event.module
        if not torch.is_grad_enabled() or not module.training:
            return
        calls = self.calls[module] = self.calls.get(module, 0) + 1
        if calls == CALL:
            self.run.probes = may_probe()
            self.open -= 1
            if not self.open:
                self.ignore(Forward)

    def graph_cut(self, event: GraphCut) -> None:
        operation = event.operation
        place = here()
        if operation == "detach" and not self._is_again(event.tensor, place):
            return
        leaves = [ref(leaf) for leaf in _leaves(event.tensor)]
        self.listen(Step)
        spoken = SPOKEN.get(operation, f"{operation}()")
        self.cuts.append(Cut(spoken, place, operation == "detach", leaves))

    def _is_again(self, tensor: Tensor, place: Span | None) -> bool:
        """Whether one line detaches a tensor twice. Once is a goal that is to stay, or a part that is not
        to learn; twice, a gradient that was to go straight through one of them."""
        again = any(known() is tensor and at == place for known, at in self.detached)
        self.detached.append((ref(tensor), place))
        return again

    def tensor_indexed(self, event: TensorIndexed) -> None:
        index = event.index
        if not isinstance(index, torch.Tensor) or index.dtype is not torch.uint8:
            return
        if index.dim() and index.shape == event.tensor.shape[: index.dim()] and index.is_cpu:
            with unwatched():
                highest = int(index.max()) if index.numel() else 0
            self.run.show("index.bytes", ByteIndex(self.run.step, Facts(), highest))

    def step(self, event: Step) -> None:
        self.ignore(Step)
        cuts, self.cuts, self.detached = self.cuts, [], []
        for cut in cuts:
            leaves = [leaf for known in cut.leaves if (leaf := known()) is not None]
            lost = [leaf for leaf in leaves if leaf.grad is None]
            if cut.detached and not any(holds(event.optimizer, leaf) for leaf in lost):
                continue
            if lost and len(lost) == len(leaves):
                names = tuple(filter(None, self.run.parameter_names(lost)))
                moment = CutGraph(self.run.step, Facts(), cut.operation, names, cut.where)
                self.run.show("graph.cut", moment)


def _leaves(tensor: Tensor) -> Iterator[Tensor]:
    """The parameters that a value depends on."""
    if tensor.is_leaf:
        yield tensor
        return
    for node in nodes_of([tensor], NODES):
        if (leaf := getattr(node, "variable", None)) is not None:
            yield leaf
