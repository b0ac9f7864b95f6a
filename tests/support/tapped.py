"""What of torch is tapped while a program is watched."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch


def every_place() -> Iterator[tuple[str, Any]]:
    """What torch looks like where it is tapped, and near."""
    from torch.nn.modules import module
    from torch.optim import lr_scheduler, optimizer
    from torch.utils.data import dataloader

    owners: list[Any] = [
        torch, torch.Tensor, torch._C._nn, torch._VF, torch.nn.functional, torch.autograd, torch.nn.Module,
        torch.optim.Optimizer, lr_scheduler.LRScheduler, lr_scheduler.ReduceLROnPlateau,
        dataloader.DataLoader, dataloader._BaseDataLoaderIter,
    ]  # fmt: skip
    for owner in owners:
        for name, value in list(vars(owner).items()):
            yield f"{owner}.{name}", value
    for hooks in (module._global_forward_hooks, module._global_forward_pre_hooks):
        yield "hooks", len(hooks)
    for more in (optimizer._global_optimizer_pre_hooks, optimizer._global_optimizer_post_hooks):
        yield "hooks", len(more)
    for builtin, name in torch.jit._builtins._get_builtin_table().items():
        yield f"TorchScript {builtin}", name
