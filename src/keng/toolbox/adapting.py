"""Weights of one architecture in another: other heads, other channel counts."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass, field
from operator import index
from typing import Any, TypeVar

import torch
from torch import Tensor, nn
from torch.nn.modules.batchnorm import _BatchNorm
from torch.nn.modules.conv import _ConvNd

from keng.toolbox.modules import unwrap

Layer = TypeVar("Layer", bound=nn.Module)
Shapes = tuple[tuple[int, ...], tuple[int, ...]]


@dataclass
class LoadReport:
    """What became of each name. `adapted` and `mismatched` hold the saved shape and the model's;
    `missing` are the model's names that keep what they had, `unexpected` the saved ones that have
    no place."""

    loaded: list[str] = field(default_factory=list)
    adapted: dict[str, Shapes] = field(default_factory=dict)
    mismatched: dict[str, Shapes] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)
    unexpected: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        lines = [f"{len(self.loaded)} tensors loaded"]
        for word, pairs in (("adapted", self.adapted), ("not loaded", self.mismatched)):
            lines += [f"{word}: {name}, {a} saved, {b} here" for name, (a, b) in pairs.items()]
        lines += [f"not in the file: {name}" for name in self.missing]
        lines += [f"not in the model: {name}" for name in self.unexpected]
        return "\n".join(lines)


def load_matching(model: nn.Module, state: Mapping[str, Any], *, adapt: bool = False) -> LoadReport:
    """Loads what fits in name and shape, and says exactly what was and what was not.

    With `adapt`, a tensor of the same number of dimensions and other sizes gives the part that both
    have, channel for channel; the rest keeps the model's fresh values. Values come to the dtype, device
    and memory format that the model has. Prefixes of wrappers ("module.", "_orig_mod.") are taken off
    where no name fits with them, and from a wrapped model's names.

    Raises: ValueError where nothing fits, as when `state` is a whole checkpoint that holds the
    weights under a key, and for a model on "meta", which holds nothing; TypeError where it is no
    state_dict, or complex numbers are to become real; RuntimeError where torch rejects a tensor.
    """
    if not isinstance(state, Mapping) or not all(isinstance(name, str) for name in state):
        raise TypeError(f"a state_dict is wanted, names and tensors, not {type(state).__name__}")
    bare = unwrap(model)
    own = bare.state_dict()
    saved = _without_prefixes(state, own)
    report = LoadReport(unexpected=[name for name in saved if name not in own])
    fitting: dict[str, Any] = {}
    for name, value in own.items():
        if name not in saved:
            report.missing.append(name)
        elif isinstance(value, Tensor) and (why := _refused(saved[name], value)):
            raise TypeError(f"`{name}` {why}")
        elif _shape(saved[name]) == _shape(value):
            report.loaded.append(name)
            fitting[name] = saved[name]
        elif adapt and len(_shape(saved[name])) == len(_shape(value)):
            report.adapted[name] = (_shape(saved[name]), _shape(value))
            fitting[name] = _overlaid(saved[name], value)
        else:
            report.mismatched[name] = (_shape(saved[name]), _shape(value))
    if not fitting:
        raise ValueError(f"nothing fits: the state has {_some(saved)}, the model {_some(own)}")
    if any(isinstance(value, Tensor) and value.is_meta for value in own.values()):
        raise ValueError(
            "the model is on `meta` and holds nothing: model.to_empty(device=...) first"
        )
    bare.load_state_dict(fitting, strict=False)
    return report


def adapt_channels(
    layer: Layer, *, inputs: int | None = None, outputs: int | None = None, average: bool = False
) -> Layer:
    """A copy of a convolution, linear layer or batch norm with other channel counts (features); the
    one given stays as it is. A batch norm has `outputs` alone.

    The channels that both have keep their weights, and batch norm its statistics; further ones are
    initialized as in a new layer. With `average`, every input channel gets the mean of the old ones,
    scaled by old/new counts: an input repeated over all channels gives the same output as before,
    right for grey images in a colour network, or for more bands of the same kind.

    Parameters of the copy are new, of the same dtype, device and memory format: make the optimizer
    afterwards. Raises: TypeError for another kind of layer, and for one whose weight is computed
    from others (weight norm); ValueError for grouped convolutions, for a count below 1, and for
    `inputs` of a batch norm.
    """
    if any(count is not None and index(count) < 1 for count in (inputs, outputs)):
        raise ValueError("a layer needs at least one channel")
    attributes = _attributes(layer)
    _refuse_computed(layer)
    if inputs is not None and len(attributes) == 1:
        raise ValueError("a batch norm has `outputs` alone: as many as it takes")
    if average and inputs is None:
        raise ValueError("`average` is for new `inputs`")
    twin, in_dim = _emptied(layer, inputs, outputs), _dims(layer)[1]
    twin.reset_parameters()
    fresh = twin.state_dict()
    for name, old in layer.state_dict().items():
        if name == "weight" and average and inputs:
            old = old.sum(in_dim, keepdim=True).div(inputs).repeat_interleave(inputs, in_dim)
        fresh[name].copy_(_overlaid(old, fresh[name]))
    return twin  # type: ignore[no-any-return]


def _emptied(layer: nn.Module, inputs: int | None, outputs: int | None) -> Any:
    """A copy of a layer that has the new counts, and tensors of the new sizes with nothing in them."""
    twin: Any = copy.deepcopy(layer)
    out_dim, in_dim = _dims(layer)
    for attribute, count in zip(_attributes(layer), (outputs, inputs), strict=False):
        setattr(twin, attribute, count or getattr(layer, attribute))
    for name, old in layer.state_dict(keep_vars=True).items():
        size = list(old.shape)
        if old.dim() > 1:
            size[in_dim], size[out_dim] = inputs or size[in_dim], outputs or size[out_dim]
        elif old.dim() == 1:
            size[0] = outputs or size[0]
        new = torch.empty(size, dtype=old.dtype, device=old.device)
        if old.dim() == 4 and not old.is_contiguous():
            new = new.to(memory_format=torch.channels_last)
        learned = isinstance(old, nn.Parameter)
        setattr(twin, name, nn.Parameter(new, old.requires_grad) if learned else new)
    return twin


def _attributes(layer: nn.Module) -> tuple[str, ...]:
    """Where a layer keeps the counts of its outputs and inputs."""
    if isinstance(layer, _BatchNorm):
        return ("num_features",)
    if isinstance(layer, nn.Linear):
        return ("out_features", "in_features")
    if not isinstance(layer, _ConvNd):
        raise TypeError(f"{type(layer).__name__} has no channels to adapt")
    if layer.groups != 1:
        raise ValueError(f"{layer} is grouped: its channels belong together")
    return ("out_channels", "in_channels")


def _refuse_computed(layer: nn.Module) -> None:
    if "weight" not in layer._parameters and getattr(layer, "weight", None) is not None:
        raise TypeError("the weight is computed from others (weight norm): make it permanent first")


def _dims(layer: nn.Module) -> tuple[int, int]:
    """The dimensions of the weight that hold outputs and inputs."""
    return (1, 0) if isinstance(layer, _ConvNd) and layer.transposed else (0, 1)


def _overlaid(saved: Tensor, fresh: Tensor) -> Tensor:
    """`fresh` with the part that both have from `saved`."""
    both = tuple(slice(min(sizes)) for sizes in zip(saved.shape, fresh.shape, strict=True))
    whole = fresh.detach().clone()
    whole[both] = saved[both].to(whole)
    return whole


def _shape(value: object) -> tuple[int, ...]:
    return tuple(value.shape) if isinstance(value, Tensor) else ()


def _refused(saved: object, value: Tensor) -> str:
    if not isinstance(saved, Tensor):
        return f"is no tensor: {type(saved).__name__}"
    return "is complex, and the model's is not" if saved.is_complex() > value.is_complex() else ""


def _without_prefixes(state: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """A model may itself hold all that it has in a part called `module`."""
    names = dict(state)
    for prefix in ("module.", "_orig_mod.") * 2:
        if own.keys().isdisjoint(names) and all(name.startswith(prefix) for name in names):
            names = {name.removeprefix(prefix): value for name, value in names.items()}
    return names


def _some(names: Mapping[str, Any]) -> str:
    return ", ".join([*list(names)[:3], "..."][: len(names)]) or "no names"
