"""A running program: under autocast all is computed in float32."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import torch

from keng.model import Span, say
from keng.pitfalls.device._shared_run import mentions
from keng.run.events import ForwardEnd, RootModule
from keng.run.frames import user_frames
from keng.run.graph.nodes import LEAF, MOST, PRODUCTS, dtype_of, nodes_of
from keng.run.recorder import Recorder
from keng.run.state import RunState
from keng.run.user_code import code_of, line

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module

CALLS = 3
OPAQUE = ("CompiledFunction", "Checkpoint")
SAID = frozenset({"autocast"})


class AutocastModules(Recorder):
    """Reads from the graph of an early output in what dtype each operation was computed."""

    dormant = (ForwardEnd,)
    sampled = dormant

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.calls: WeakKeyDictionary[Module, int] = WeakKeyDictionary()

    def root_module(self, event: RootModule) -> None:
        self.calls[event.module] = 0
        self.listen(ForwardEnd)

    def forward_end(self, event: ForwardEnd) -> None:
        module, outputs = event.module, event.outputs
        if module not in self.calls:
            return
        self.calls[module] += 1
        device = outputs[0].device.type if outputs else "cpu"
        seen = self.run.marked is not None and torch.is_autocast_enabled(device)
        if seen or self.calls[module] == CALLS:
            del self.calls[module]
            if not self.calls:
                self.ignore(ForwardEnd)
        if seen:
            self._look(module, outputs[0], torch.get_autocast_dtype(device))

    def _look(self, module: Module, output: Tensor, wanted: torch.dtype) -> None:
        matrices = [p for p in module.parameters() if p.dim() > 1]
        if not all(p.requires_grad and p.dtype is torch.float32 for p in matrices):
            return  # what is frozen is not in the graph
        nodes = list(nodes_of([output]))
        products = sum(_is_product(node) for node in nodes)
        known = {dtype_of(node) for node in nodes} - {None}
        idle = known and wanted not in known
        if products and idle and len(nodes) < MOST and not mentions(module, SAID):
            if any(node.name().startswith(OPAQUE) for node in nodes):
                return
            name, dtype = self.run.module_name(module), str(wanted).removeprefix("torch.")
            says = say("nothing-in-low-precision", name=name, dtype=dtype, products=products)
            self.report(says, where=_autocast_around(), products=products)


def _is_product(node: Any) -> bool:
    """Also a function of the user's own that is given a matrix as it is."""
    if not isinstance(node, torch.autograd.function.BackwardCFunction):
        return bool(node.name().startswith(PRODUCTS))
    leaves = [after for after, _ in node.next_functions if after is not None]
    return any(leaf.name() == LEAF and leaf.variable.dim() > 1 for leaf in leaves)


def _autocast_around() -> Span | None:
    """The innermost `with autocast(...)` that a frame of the user's runs in now."""
    for frame in user_frames():
        code = code_of(frame)
        blocks = code.tree.on_line(frame.f_lineno, ast.With) if code is not None else []
        for block in reversed(blocks):
            managers = (item.context_expr for item in block.items)
            calls = (each.func for each in managers if isinstance(each, ast.Call))
            if code is not None and any(code.calls.may_be_named(each, SAID) for each in calls):
                return line(code, block)
    return None
