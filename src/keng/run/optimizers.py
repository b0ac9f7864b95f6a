"""What is trained: the parameters that optimizers hold."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import torch

from keng.run.frames import reached

if TYPE_CHECKING:
    from torch import Tensor

PROBE = 64


def optimizers() -> list[Any]:
    """All optimizers there are: one that steps seldom, or has not yet, trains its parameters too. A
    tuple that another thread is just making breaks when a list of everything holds it
    (bugs.python.org/issue15108): where there are other threads, variables are followed instead."""
    from torch.optim import Optimizer

    if threading.active_count() > 1:
        return list(reached(Optimizer))
    return [each for each in gc.get_objects() if issubclass(type(each), Optimizer)]


def parameters_of(owner: Any) -> list[Tensor]:
    """Of an optimizer or a module."""
    groups = getattr(owner, "param_groups", None)
    if groups is None:
        return list(owner.parameters())
    return [p for group in groups for p in group["params"]]


def held_by(optimizers: Iterable[Any]) -> set[int]:
    """The ids of all their parameters."""
    return {id(p) for optimizer in optimizers for p in parameters_of(optimizer)}


def holds(optimizer: Any, parameter: Any) -> bool:
    return any(p is parameter for group in optimizer.param_groups for p in group["params"])


def has_gradients(optimizer: Any) -> bool:
    return any(p.grad is not None for group in optimizer.param_groups for p in group["params"])


def sample_of(parameter: Any) -> Tensor:
    """Of one that lies in parts on several ranks, the part of this rank: nothing goes over the wire."""
    own: Tensor = parameter.to_local() if hasattr(parameter, "device_mesh") else parameter
    return own.detach().reshape(-1)[:PROBE].clone()


def norms_of(optimizer: Any) -> tuple[list[Tensor], Tensor | None]:
    """The dense parameters on one device with a gradient, and the norms of both."""
    held = [p for group in optimizer.param_groups for p in group["params"] if p.grad is not None]
    kept = [p for p in held if not p.grad.is_sparse and p.device == held[0].device]
    kept = [p for p in kept if type(p.data) is torch.Tensor and p.is_floating_point()]
    if not kept:
        return [], None
    rows = [
        torch._foreach_norm([p.grad for p in kept]),
        torch._foreach_norm([p.data for p in kept]),
    ]
    return kept, torch.stack([torch.stack([n.float() for n in row]) for row in rows])
