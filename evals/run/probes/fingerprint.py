"""Everything of a call and its program that probing must leave as it was, bit by bit."""

from __future__ import annotations

import hashlib
import random
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn.modules import module as hooks

from keng.run.probes import Call
from keng.run.probes.nested import leaves


def of(call: Call) -> dict[str, Any]:
    model = call.model
    found: dict[str, Any] = {}
    for name, each in [*model.named_parameters(), *model.named_buffers()]:
        found[name] = (_digest(each), each._version, each.data_ptr(), each.requires_grad)
        found[f"{name}.grad"] = (
            None if each.grad is None else (_digest(each.grad), each.grad.data_ptr())
        )
    for name, module in model.named_modules():
        found[f"{name}.mode"] = module.training
        found[f"{name}.hooks"] = [
            list(value) for key, value in vars(module).items() if key.endswith("_hooks")
        ]
        found[f"{name}.attributes"] = [(key, id(value)) for key, value in vars(module).items()]
    for path, each in leaves((call.args, dict(call.kwargs), call.targets)):
        found[f"input {path}"] = (
            _digest(each),
            each._version,
            None if each.grad is None else _digest(each.grad),
        )
    if call.optimizer is not None:
        for path, each in leaves(list(call.optimizer.state.values())):
            found[f"optimizer {path}"] = _digest(each)
    return {**found, **_program()}


def _program() -> dict[str, Any]:
    return {
        "python": hash(random.getstate()),
        "numpy": str(np.random.get_state()),
        "torch": _digest(torch.get_rng_state()),
        "grad": torch.is_grad_enabled(),
        "autocast": torch.is_autocast_enabled("cpu"),
        "fastpath": torch.backends.mha.get_fastpath_enabled(),
        "default": torch.get_default_dtype(),
        "global hooks": [
            len(v)
            for k, v in vars(hooks).items()
            if k.startswith("_global_") and isinstance(v, dict)
        ],
    }


def _digest(tensor: Tensor) -> str:
    data = tensor.detach().cpu().contiguous().view(-1)
    raw = data.view(torch.uint8) if data.numel() else data
    return (
        hashlib.sha256(raw.numpy().tobytes()).hexdigest()
        + str(tensor.dtype)
        + str(tuple(tensor.shape))
    )
