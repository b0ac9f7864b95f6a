"""What a model costs: parameters, multiply-adds, and the memory that training keeps."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.autograd.graph import saved_tensors_hooks
from torch.utils.flop_counter import FlopCounterMode


@dataclass(frozen=True)
class ModuleCost:
    """The cost of one module, with all that lies in it. `name` is "" for the model itself;
    `activations` counts bytes."""

    name: str
    kind: str
    parameters: int
    multiply_adds: int
    activations: int


@dataclass(frozen=True)
class Cost:
    """The cost of each module, the model first."""

    modules: tuple[ModuleCost, ...]

    @property
    def total(self) -> ModuleCost:
        return self.modules[0]

    def __str__(self) -> str:
        head = f"{'module':40} {'parameters':>12} {'multiply-adds':>15} {'activations':>13}"
        rows = [
            f"{m.name or m.kind:40} {m.parameters:12,} {m.multiply_adds:15,} {m.activations:11,} B"
            for m in self.modules
        ]
        return "\n".join([head, *rows])


def count_cost(model: nn.Module, *inputs: Any) -> Cost:
    """Counts one forward of the model, by module, on these inputs.

    Parameters: numbers, shared ones once. Multiply-adds: of matrix products, convolutions and
    attention, whoever calls them, so custom layers are counted too; half of what
    `torch.utils.flop_counter` says, which counts two operations for each (operators of your own
    are made known by its `register_flop_formula`). Activations: bytes that autograd keeps for
    backward, each piece of memory once, in the module that first saves it; parameters, buffers and
    inputs are not counted, and nothing where nothing requires gradients.

    The model runs in the mode it is in, on copies of its buffers, so that running statistics stay.
    The count is that of these shapes: give the batch size that you mean.
    """
    counter = FlopCounterMode(display=False)
    kept: Counter[str] = Counter()
    seen = {_memory(t) for t in (*model.parameters(), *inputs) if isinstance(t, Tensor)}
    buffers = {name: buffer.clone() for name, buffer in model.named_buffers()}
    seen |= {_memory(buffer) for buffer in buffers.values()}

    def note(tensor: Tensor) -> Tensor:
        if _memory(tensor) not in seen:
            seen.add(_memory(tensor))
            size = tensor.untyped_storage().nbytes()
            kept.update(dict.fromkeys(counter.mod_tracker.parents, size))
        return tensor

    with (
        torch.enable_grad(),
        torch.random.fork_rng(),
        saved_tensors_hooks(note, lambda t: t),
        counter,
    ):
        # What is saved must live until the end, for memory that is free again has no name.
        outputs = torch.func.functional_call(model, buffers, inputs)
    flops = counter.get_flop_counts()
    del outputs
    root = type(model).__name__
    return Cost(
        tuple(
            ModuleCost(
                name,
                type(module).__name__,
                sum(parameter.numel() for parameter in module.parameters()),
                sum(flops.get(_tracked(root, name), {}).values()) // 2,
                kept[_tracked(root, name)],
            )
            for name, module in model.named_modules()
        )
    )


def _tracked(root: str, name: str) -> str:
    """The name of a module as FlopCounterMode has it."""
    return f"{root}.{name}" if name else root


def _memory(tensor: Tensor) -> int:
    return tensor.untyped_storage().data_ptr()
