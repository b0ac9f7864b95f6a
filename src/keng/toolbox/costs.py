"""What a model costs: parameters, multiply-adds, and the memory that training keeps."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.autograd.graph import saved_tensors_hooks
from torch.multiprocessing.reductions import StorageWeakRef
from torch.utils._pytree import tree_leaves, tree_map_only
from torch.utils.flop_counter import FlopCounterMode, sdpa_flop_count

from keng.toolbox.modules import unwrap

Shape = Sequence[int]


def _attention(query: Shape, key: Shape, value: Shape, *_: Any, **__: Any) -> int:
    return sdpa_flop_count(query, key, value)  # type: ignore[no-any-return]


def _recurrent(inputs: Shape, weights: Sequence[Shape], *_: Any, **__: Any) -> int:
    """Every matrix of a layer meets every place of every sequence once; biases are no products."""
    return 2 * math.prod(inputs[:-1]) * sum(math.prod(each) for each in weights if len(each) == 2)


def _lstm(inputs: Shape, of_inputs: Shape, of_state: Shape, *_: Any, **__: Any) -> int:
    return _recurrent(inputs, [of_inputs, of_state])


UNKNOWN = {
    torch.ops.aten._scaled_dot_product_flash_attention_for_cpu: _attention,
    torch.ops.aten.mkldnn_rnn_layer: _lstm,
    torch.ops.aten._cudnn_rnn: _recurrent,
}
"""Operators that `torch.utils.flop_counter` of torch 2.13 counts as nothing."""


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


@torch.inference_mode(False)
def count_cost(model: nn.Module, *inputs: Any) -> Cost:
    """Counts one forward of the model, by module, on these inputs.

    Parameters: numbers, shared ones once. Multiply-adds: of matrix products, convolutions and
    attention, whoever calls them, so custom layers are counted too; half of what
    `torch.utils.flop_counter` says, which counts two operations for each (operators of your own
    are made known by its `register_flop_formula`). Activations: bytes that autograd keeps for
    backward, each piece of memory once, in the module that first saves it; parameters, buffers and
    inputs are not counted, and nothing where nothing requires gradients. What a wrapper holds
    (DataParallel, torch.compile) is counted without it. A model and inputs on "meta" are counted
    without any memory.

    The model runs in the mode it is in, on copies of its buffers and of the inputs, so that running
    statistics stay. The count is that of these shapes: give the batch size that you mean. Raises: what
    the model raises; RuntimeError for TorchScript, TypeError for nested tensors, which torch's own
    counter does not take (2.13).
    """
    model = unwrap(model)
    inputs = tree_map_only(Tensor, Tensor.clone, inputs)
    counter = FlopCounterMode(display=False, custom_mapping=UNKNOWN)
    kept: Counter[str] = Counter()
    buffers = {name: buffer.clone() for name, buffer in model.named_buffers()}
    given = (*model.parameters(), *buffers.values(), *tree_leaves(inputs))
    seen = {_memory(tensor) for tensor in given if isinstance(tensor, Tensor)}

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
        torch.func.functional_call(model, buffers, inputs)
    flops = counter.get_flop_counts()
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


def _memory(tensor: Tensor) -> StorageWeakRef:
    """What tells a piece of memory from another, also after it was freed."""
    return StorageWeakRef(tensor.untyped_storage())
