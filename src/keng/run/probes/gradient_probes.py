"""Which modules that ran does the loss depend on?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor
from torch.nn import Module

from keng.run.probes.compare import OTHER_POSITIONS, ratio
from keng.run.probes.nested import Path, floats, rebuild
from keng.run.probes.results import Outcome
from keng.run.probes.stage import Skip, Stage
from keng.run.probes.texts import text

MOST = 8
"""Modules of which it is tried whether their output is used."""


def reach(stage: Stage) -> Outcome:
    """Backward on a full copy: parameters of modules that ran have gradients. A module that has none
    although its output moves that of the model is cut off; otherwise it is unused."""
    if stage.criterion is None:
        raise Skip("no-loss")
    ran: set[str] = set()
    out, model = stage.run_with_gradients(observe=lambda *how: _noting(ran, *how))
    with torch.enable_grad():
        loss = stage.criterion(out, stage.targets)
    if not loss.requires_grad:
        return Outcome("reach", "gradients", "note", float("inf"), text("reach-none"))
    named = [(name, each) for name, each in model.named_parameters() if each.requires_grad]
    gradients = torch.autograd.grad(loss, [each for _, each in named], allow_unused=True)
    without = _without_gradient(stage, named, gradients) & ran
    cut = sorted(name for name in sorted(without)[:MOST] if _used(stage, name))
    if not cut:
        return Outcome("reach", "gradients", "held")
    names = ", ".join(f"`{name}`" for name in cut)
    return Outcome("reach", "gradients", "note", float(len(cut)), text("reach", names=names))


def _noting(ran: set[str], model: Module, args: Any, kwargs: Any) -> Any:
    for name, module in model.named_modules():
        module.register_forward_hook(lambda *_, name=name: ran.add(name))
    return model(*args, **kwargs)


def _without_gradient(
    stage: Stage, named: Sequence[tuple[str, Tensor]], gradients: tuple[Tensor | None, ...]
) -> set[str]:
    """Whole modules of which no parameter that is trained has a gradient."""
    held = _held(stage)
    missing: Counter[str] = Counter()
    reached: set[str] = set()
    for (name, _), gradient in zip(named, gradients, strict=True):
        owner = name.rpartition(".")[0]
        if gradient is not None:
            reached.add(owner)
        elif held is None or name in held:
            missing[owner] += 1
    return {
        owner
        for owner in missing
        if not any(not owner or each == owner or each.startswith(f"{owner}.") for each in reached)
    }


def _held(stage: Stage) -> set[str] | None:
    """The names of parameters that the optimizer trains; None where it is not known."""
    groups = getattr(stage.call.optimizer, "param_groups", None)
    if groups is None:
        return None
    ids = {id(each) for group in groups for each in group["params"]}
    return {name for name, each in stage.call.model.named_parameters() if id(each) in ids}


def _used(stage: Stage, name: str) -> bool:
    """Whether noise on the output of a module moves an output of the model."""

    def noisy(path: Path, tensor: Tensor) -> Tensor:
        if not tensor.is_floating_point():
            return tensor
        scale = float(tensor.std()) if tensor.numel() > 1 else 1.0
        return tensor + 0.1 * (scale or 1.0) * torch.randn_like(tensor)

    def disturbed(model: Module, args: Any, kwargs: Any) -> Any:
        model.get_submodule(name).register_forward_hook(
            lambda module, given, out: rebuild(out, noisy)
        )
        return model(*args, **kwargs)

    other = floats(stage.run(observe=disturbed))
    return any(
        one.shape == two.shape and ratio(one, two, OTHER_POSITIONS) > 1
        for (_, one), (_, two) in zip(stage.base_outputs, other, strict=False)
    )
