"""Process groups as they are made and given up, models as they are wrapped, files of checkpoints."""

from __future__ import annotations

import sys
from typing import Any

import torch
from torch import distributed as dist

from keng.run.bus import Bus
from keng.run.events import (
    CheckpointSaved,
    ModelWrapped,
    ProcessGroupCreated,
    ProcessGroupDestroyed,
    StageGradientsDivided,
    StorageRestored,
)
from keng.run.taps.patches import Patches


def put_on(bus: Bus, patches: Patches) -> None:
    if not bus.wants(ProcessGroupCreated) or not dist.is_available():
        return
    from torch.nn.parallel import DistributedDataParallel

    core = dist.distributed_c10d
    made = (
        ("init_process_group", _init(bus, core.init_process_group, patches)),
        ("destroy_process_group", _destroy(bus, core.destroy_process_group)),
    )
    for name, wrapper in made:
        for owner in (core, dist):
            patches.put(owner, name, wrapper)
    patches.put(
        DistributedDataParallel, "__init__", _wrapped(bus, DistributedDataParallel.__init__)
    )
    serialization = sys.modules["torch.serialization"]
    save = _save(bus, torch.save)
    for module in (serialization, torch):
        patches.put(module, "save", save)
    restore = "default_restore_location"
    patches.put(serialization, restore, _restore(bus, getattr(serialization, restore)))
    if dist.is_initialized():
        bus.dispatch(ProcessGroupCreated)


def _init(bus: Bus, original: Any, patches: Patches) -> Any:
    from keng.ranks.collect.journal import recording

    def init_process_group(*args: Any, **kwargs: Any) -> None:
        with recording():
            original(*args, **kwargs)
        _follow_stages(bus, patches)
        bus.dispatch(ProcessGroupCreated)

    return init_process_group


def _follow_stages(bus: Bus, patches: Patches) -> None:
    """A stage of a pipeline learns the shapes of what it is sent by a forward and a backward on tensors
    that hold whatever was in memory (torch 2.13): no values of the program, so these are left out."""
    stages = sys.modules.get("torch.distributed.pipelining.stage")
    base = getattr(stages, "_PipelineStageBase", None)
    kinds = [base, *base.__subclasses__()] if base is not None else []
    for kind in kinds:
        for name in ("_forward_metadata_inference", "_backward_metadata_inference"):
            if name in vars(kind):
                patches.put(kind, name, _unseen(bus, vars(kind)[name]))
    if base is not None and bus.wants(StageGradientsDivided):
        patches.put(base, "scale_grads", _divides(bus, base.scale_grads))


def _unseen(bus: Bus, original: Any) -> Any:
    def infers(*args: Any, **kwargs: Any) -> Any:
        if bus.gate.shut:
            return original(*args, **kwargs)
        bus.gate.hold()
        try:
            return original(*args, **kwargs)
        finally:
            bus.gate.release()

    return infers


def _divides(bus: Bus, original: Any) -> Any:
    def scale_grads(self: Any, grad_scale_factor: int) -> None:
        if grad_scale_factor != 1:
            bus.dispatch(StageGradientsDivided, self.submod, grad_scale_factor)
        original(self, grad_scale_factor)

    return scale_grads


def _destroy(bus: Bus, original: Any) -> Any:
    def destroy_process_group(group: Any = None) -> None:
        # While the store is still there: it goes with the group.
        if group is None or group is dist.group.WORLD:
            bus.dispatch(ProcessGroupDestroyed)
        original(group)

    return destroy_process_group


def _wrapped(bus: Bus, original: Any) -> Any:
    def __init__(self: Any, /, *args: Any, **kwargs: Any) -> None:  # noqa: N807
        original(self, *args, **kwargs)
        bus.dispatch(ModelWrapped, self)

    return __init__


def _save(bus: Bus, original: Any) -> Any:
    def save(obj: Any, f: Any, *args: Any, **kwargs: Any) -> None:
        original(obj, f, *args, **kwargs)
        bus.dispatch(CheckpointSaved, f, obj)

    return save


def _restore(bus: Bus, original: Any) -> Any:
    def default_restore_location(storage: Any, location: Any) -> Any:
        bus.dispatch(StorageRestored, str(location))
        return original(storage, location)

    return default_restore_location
