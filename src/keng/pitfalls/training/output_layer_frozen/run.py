"""A running program: the new output layer is frozen together with the backbone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, ref

import torch

from keng.model import say
from keng.run.events import ForwardEnd, RootModule, Step
from keng.run.graph.nodes import LEAF
from keng.run.optimizers import held_by
from keng.run.recorder import Recorder
from keng.run.state import RunState, unwatched

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module

CALL = 3
NODES = 50
FRESH = 1
"""Version of a weight that its constructor has drawn and nothing has written to since."""


class FrozenOutputLayers(Recorder):
    """A weight that is not trained has no node of its own in the graph, but the product that uses it keeps
    it for the backward."""

    dormant = (ForwardEnd, Step)
    sampled = (ForwardEnd,)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.calls: WeakKeyDictionary[Module, int] = WeakKeyDictionary()
        self.found: tuple[ref[Module], str, str] | None = None

    def root_module(self, event: RootModule) -> None:
        parameters = list(event.module.parameters())
        # Where nothing is trained it is another's: a teacher, a loss.
        if any(p.requires_grad for p in parameters) and any(_fresh(p) for p in parameters):
            self.calls[event.module] = 0
            self.listen(ForwardEnd)

    def forward_end(self, event: ForwardEnd) -> None:
        module = event.module
        if module not in self.calls or self.run.marked is None or not event.outputs:
            return
        self.calls[module] += 1
        if self.calls[module] < CALL:
            return
        del self.calls[module]
        if not self.calls:
            self.ignore(ForwardEnd)
        with unwatched():
            layer = _last_layer(module, event.outputs[0])
        if layer:
            self.found = ref(module), self.run.module_name(module), layer
            self.listen(Step)

    def step(self, event: Step) -> None:
        self.ignore(Step)
        module = self.found[0]() if self.found is not None else None
        if self.found is None or module is None:
            return
        trained = held_by([event.optimizer])
        if any(p.requires_grad and id(p) in trained for p in module.parameters()):
            _, name, layer = self.found
            self.report(say("frozen-at-random", layer=layer, module=name), layer=layer)


def _fresh(parameter: Tensor) -> bool:
    return not parameter.requires_grad and parameter._version == FRESH and parameter.dim() > 1


def _last_layer(module: Module, output: Tensor) -> str:
    """The name of the linear or convolutional layer next to the output, where it is frozen and as its
    constructor has left it."""
    weight = _last_weight(output)
    if weight is None:
        return ""
    for name, layer in module.named_modules():
        own = getattr(layer, "weight", None)
        if isinstance(own, torch.nn.Parameter) and own.data_ptr() == weight.data_ptr():
            return name if _fresh(own) and _as_drawn(own) else ""
    return ""


def _last_weight(output: Tensor) -> Tensor | None:
    waiting: list[Any] = [output.grad_fn]
    for _ in range(NODES):
        node = waiting.pop(0) if waiting else None
        if node is None or _is_sum(node):
            return None
        if node.name().startswith(("Addmm", "Mm")):
            return node._saved_mat2  # type: ignore[no-any-return]
        if node.name().startswith("Convolution"):
            return node._saved_weight  # type: ignore[no-any-return]
        waiting.extend(after for after, _ in node.next_functions if after is not None)
    return None


def _is_sum(node: Any) -> bool:
    """Whether it adds two values that were computed, as those of a frozen layer and of its adapter."""
    parts = [after for after, _ in node.next_functions if after is not None]
    computed = [part for part in parts if part.name() != LEAF]
    return bool(node.name() == "AddBackward0") and len(computed) > 1


def _as_drawn(weight: Tensor) -> bool:
    """Uniform between the bounds of the default initialization."""
    bound = weight[0].numel() ** -0.5
    return bool(0.7 * bound < weight.abs().max() <= bound * 1.0001)
