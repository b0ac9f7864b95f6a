"""Channels that carry nothing, and weights that can go."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.modules.conv import _ConvNd
from torch.nn.utils import prune

CONVOLVED = range(3, 6)
"""Dimensions that the weight of a convolution has: over lengths, areas, volumes."""


@dataclass(frozen=True)
class LayerChannels:
    """The output channels of one convolution: `mean` absolute weight of each, a 1-d tensor of the
    weight's dtype and device, and the numbers of those that are near zero."""

    name: str
    mean: Tensor
    near_zero: tuple[int, ...]

    @property
    def kept(self) -> list[int]:
        """The numbers of the channels that carry something."""
        return [n for n in range(len(self.mean)) if n not in self.near_zero]

    def __str__(self) -> str:
        gone = ", ".join(map(str, self.near_zero)) or "none"
        return f"{self.name}: {len(self.near_zero)} of {len(self.mean)} channels near zero ({gone})"


def channel_report(
    model: nn.Module | Mapping[str, Any], *, threshold: float = 1e-3
) -> list[LayerChannels]:
    """The convolutions of a model, or of a state_dict, and which of their output channels have a mean
    absolute weight below `threshold` times that of the layer's largest.

    Raises: TypeError for what is neither; ValueError for a dict without tensors, such as a whole
    checkpoint that holds the weights under a key.

    A state_dict does not tell what a tensor belongs to: there every floating-point `weight` of 3 to
    5 dimensions is treated as a convolution whose outputs come first, which a transposed one's do
    not. A batch norm behind a layer can make a small channel large again: look at its weight too.
    """
    return [_of_layer(name, weight, threshold) for name, weight in _weights(model)]


def _weights(model: nn.Module | Mapping[str, Any]) -> Iterator[tuple[str, Tensor]]:
    """Names and weights, with the output channels as first dimension."""
    if isinstance(model, nn.Module):
        for name, layer in model.named_modules():
            if isinstance(layer, _ConvNd):
                yield name, _outputs_first(layer)
        return
    if not isinstance(model, Mapping):
        raise TypeError(f"a model or a state_dict is wanted, not {type(model).__name__}")
    if not any(isinstance(value, Tensor) for value in model.values()):
        raise ValueError(
            f"no tensor in it, but {', '.join(map(str, list(model)[:3])) or 'nothing'}"
        )
    for name, value in model.items():
        if isinstance(value, Tensor) and value.is_floating_point() and value.dim() in CONVOLVED:
            layer_name, _, last = name.rpartition(".")
            if last == "weight":
                yield layer_name, value.detach()


def _outputs_first(layer: _ConvNd) -> Tensor:
    weight: Tensor = layer.weight.detach()
    if layer.transposed:  # groups, inputs and outputs of each
        weight = weight.unflatten(0, (layer.groups, -1)).transpose(1, 2).flatten(0, 1)
    return weight


def _of_layer(name: str, weight: Tensor, threshold: float) -> LayerChannels:
    sizes = weight.abs().flatten(1)
    mean = sizes.mean(1) if sizes.shape[1] else sizes.new_zeros(len(sizes))
    low = mean <= threshold * max(mean.tolist(), default=0.0)  # all of them where all are zero
    return LayerChannels(name, mean, tuple(low.nonzero().flatten().tolist()))


@dataclass(frozen=True)
class Sparsity:
    """Zeros and weights of each layer that was pruned, counted in what the layers now hold."""

    layers: dict[str, tuple[int, int]]

    @property
    def zeros(self) -> int:
        return sum(zeros for zeros, _ in self.layers.values())

    @property
    def total(self) -> int:
        return sum(total for _, total in self.layers.values())

    def __str__(self) -> str:
        rows = {**self.layers, "all": (self.zeros, self.total)}
        return "\n".join(
            f"{n}: {z} of {t} weights are 0 ({z / max(t, 1):.1%})" for n, (z, t) in rows.items()
        )


def prune_global(model: nn.Module, amount: float) -> Sparsity:
    """Sets the share `amount` of the weights of all convolutions and linear layers to zero, those of
    the smallest magnitude wherever they are, and makes it permanent: plain parameters again, the
    same objects, so that an optimizer still holds them. A weight that layers share counts once, by
    the first of them.

    Zeros cost memory and time like other numbers, unless a sparse format or kernel is used; and
    training on changes them again. `torch.nn.utils.prune` does the work, without `remove`, its masks
    hold through fine-tuning.

    Source: Han et al., "Learning both Weights and Connections", 2015. Raises: ValueError where
    `amount` is not between 0 and 1, the model has no such layer, or a weight is computed from others
    (weight norm, a mask of `torch.nn.utils.prune`), which would not stay what it is set to.
    """
    if not 0 <= amount <= 1:
        raise ValueError(f"a share between 0 and 1 is wanted, not {amount}")
    kinds = (_ConvNd, nn.Linear)
    layers = {name: each for name, each in model.named_modules() if isinstance(each, kinds)}
    if not layers:
        raise ValueError("the model has no convolution and no linear layer")
    for name, layer in layers.items():
        if "weight" not in layer._parameters:
            raise ValueError(f"the weight of `{name}` is computed: make it permanent first")
    firsts = {layer.weight: name for name, layer in reversed(layers.items())}
    weights = {n: e.weight.detach() for n, e in layers.items() if firsts[e.weight] == n}
    _drop_smallest(list(weights.values()), float(amount))
    return Sparsity(
        {n: (int((weight == 0).sum()), weight.numel()) for n, weight in weights.items()}
    )


def _drop_smallest(weights: list[Tensor], amount: float) -> None:
    """`prune.global_unstructured` takes no weights in another memory format, or on several devices."""
    home = weights[0].device
    sizes = torch.cat([weight.abs().flatten().to(home) for weight in weights])
    mask = prune.L1Unstructured(amount).compute_mask(sizes, torch.ones_like(sizes))
    for weight, kept in zip(weights, mask.split([w.numel() for w in weights]), strict=True):
        weight.masked_fill_(kept.view(weight.shape).to(weight.device) == 0, 0)
