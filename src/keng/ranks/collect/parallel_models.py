"""Models that all ranks train together: in DistributedDataParallel, or sharded by FSDP2 (`fully_shard`)."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import torch.distributed as dist
from torch.nn import Module
from torch.nn.parallel import DistributedDataParallel

from keng.ranks.collect.digests import is_whole

if TYPE_CHECKING:
    from torch import Tensor

LOCAL_HOOKS = {"noop_hook", "post_localSGD_hook"}
"""Communication hooks of torch's that leave each rank its own gradients, by intent."""


def is_parallel(module: Module) -> bool:
    """Whether all ranks train it, each on its own share of the data."""
    if isinstance(module, DistributedDataParallel):
        return True
    fsdp = sys.modules.get("torch.distributed.fsdp")
    return fsdp is not None and isinstance(module, fsdp.FSDPModule) and _shares_data(module)


def inside(model: Module) -> Any:
    """The model itself, without the wrapper."""
    return model.module if isinstance(model, DistributedDataParallel) else model


def averages(model: Module) -> bool:
    """Whether its ranks keep to one model at every step."""
    hooks: Iterable[Any] = getattr(model, "_comm_hooks", ())
    return not any(getattr(hook, "__name__", "") in LOCAL_HOOKS for hook, _ in hooks)


def comparable(named: Iterable[tuple[str, Tensor]]) -> dict[str, Tensor]:
    """The tensors that other ranks must have alike, as they lie here: whole ones, and shards that
    others hold as well, whose name says which."""
    found: dict[str, Tensor] = {}
    for name, tensor in named:
        if hasattr(tensor, "device_mesh"):
            found.update(_shard(name, tensor))
        elif is_whole(tensor):
            found[name] = tensor
    return found


def _shard(name: str, tensor: Any) -> dict[str, Tensor]:
    """A DTensor's, where some dimension of its mesh holds copies."""
    mesh, places = tensor.device_mesh, tensor.placements
    shards = [at for at, place in enumerate(places) if not place.is_replicate()]
    copies = any(at not in shards and mesh.size(at) > 1 for at in range(mesh.ndim))
    if not copies or any(place.is_partial() for place in places):
        return {}
    which = ", ".join(f"{mesh.get_coordinate()[at] + 1} of {mesh.size(at)}" for at in shards)
    return {f"{name} (shard {which})" if which else name: tensor.to_local()}


def _shares_data(model: Module) -> bool:
    """Whether the shards lie over all ranks, or over groups that are copies of each other. A dimension
    that shards otherwise splits the layers' work, and its ranks have the same data."""
    parameters: list[Any] = [p for p in model.parameters() if hasattr(p, "device_mesh")]
    return bool(parameters) and all(
        p.device_mesh.size() == dist.get_world_size()
        and p.placements[-1].is_shard()
        and all(place.is_replicate() for place in p.placements[:-1])
        for p in parameters
    )
