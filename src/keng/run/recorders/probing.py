"""What the user's forward does between torch's functions: graphs that it cuts, masks of bytes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, ref

import torch

from keng.model import Span
from keng.run.bus import Recorder
from keng.run.frames import here
from keng.run.graph.nodes import nodes_of
from keng.run.moments import ByteIndex, CutGraph
from keng.run.optimizers import holds
from keng.run.replay.probe import may_probe
from keng.run.state import Facts, Scene, aside

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

    makes = ("graph.cut", "index.bytes")
    rests = ("forward", "step")

    def __init__(self, scene: Scene) -> None:
        super().__init__(scene)
        self.calls: WeakKeyDictionary[Module, int] = WeakKeyDictionary()
        self.open = 0  # modules whose turn is still to come
        self.cuts: list[Cut] = []
        self.detached: list[tuple[ref[Tensor], Span | None]] = []

    def root(self, module: Any) -> None:
        self.open += 1
        self.wake("forward")

    def forward(self, module: Any, *_: Any) -> None:
        if not torch.is_grad_enabled() or not module.training:
            return
        calls = self.calls[module] = self.calls.get(module, 0) + 1
        if calls == CALL:
            self.scene.probes = may_probe()
            self.open -= 1
            if not self.open:
                self.rest("forward")

    def cut(self, operation: str, tensor: Tensor) -> None:
        place = here()
        if operation == "detach" and not self._is_again(tensor, place):
            return
        leaves = [ref(leaf) for leaf in _leaves(tensor)]
        self.wake("step")
        spoken = SPOKEN.get(operation, f"{operation}()")
        self.cuts.append(Cut(spoken, place, operation == "detach", leaves))

    def _is_again(self, tensor: Tensor, place: Span | None) -> bool:
        """Whether one line detaches a tensor twice. Once is a goal that is to stay, or a part that is not
        to learn; twice, a gradient that was to go straight through one of them."""
        again = any(known() is tensor and at == place for known, at in self.detached)
        self.detached.append((ref(tensor), place))
        return again

    def indexed(self, tensor: Tensor, index: Any) -> None:
        if not isinstance(index, torch.Tensor) or index.dtype is not torch.uint8:
            return
        if index.dim() and index.shape == tensor.shape[: index.dim()] and index.is_cpu:
            with aside():
                highest = int(index.max()) if index.numel() else 0
            self.scene.show("index.bytes", ByteIndex(self.scene.step, Facts(), highest))

    def step(self, optimizer: Any) -> None:
        self.rest("step")
        cuts, self.cuts, self.detached = self.cuts, [], []
        for cut in cuts:
            leaves = [leaf for known in cut.leaves if (leaf := known()) is not None]
            lost = [leaf for leaf in leaves if leaf.grad is None]
            if cut.detached and not any(holds(optimizer, leaf) for leaf in lost):
                continue
            if lost and len(lost) == len(leaves):
                names = tuple(filter(None, self.scene.parameter_names(lost)))
                moment = CutGraph(self.scene.step, Facts(), cut.operation, names, cut.where)
                self.scene.show("graph.cut", moment)


def _leaves(tensor: Tensor) -> Iterator[Tensor]:
    """The parameters that a value depends on."""
    if tensor.is_leaf:
        yield tensor
        return
    for node in nodes_of([tensor], NODES):
        if (leaf := getattr(node, "variable", None)) is not None:
            yield leaf
