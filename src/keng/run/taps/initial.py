"""Functions of `torch.nn.init` that draw random numbers, where the user calls them."""

from __future__ import annotations

import sys
from typing import Any

from keng.run.bus import Bus
from keng.run.events import ParameterInit
from keng.run.frames import is_user
from keng.run.taps.patches import Patches

DRAWS = (
    "uniform_", "normal_", "trunc_normal_", "xavier_uniform_", "xavier_normal_", "kaiming_uniform_",
    "kaiming_normal_", "orthogonal_", "sparse_",
)  # fmt: skip


def put_on(bus: Bus, patches: Patches) -> None:
    from torch.nn import init

    if bus.wants(ParameterInit):
        for name in DRAWS:
            patches.put(init, name, _draw(bus, getattr(init, name), name))


def _draw(bus: Bus, original: Any, name: str) -> Any:
    gate = bus.gate

    def tapped(tensor: Any, *args: Any, **kwargs: Any) -> Any:
        if not gate.shut and is_user(sys._getframe(1).f_code.co_filename):
            bus.dispatch(ParameterInit, name, tensor)
        return original(tensor, *args, **kwargs)

    return tapped
