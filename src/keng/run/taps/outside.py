"""Things around torch: random numbers of Python and NumPy, least squares, locks of builds."""

from __future__ import annotations

import random
import sys
from typing import Any

from keng.run.bus import Bus
from keng.run.events import BuildLockWait, Lstsq, RandomDraw, RandomSeed
from keng.run.frames import is_user
from keng.run.taps.patches import Patches

DRAWS = {
    "random": "random randint randrange choice choices sample shuffle uniform gauss normalvariate",
    "numpy.random": "rand randn randint random choice permutation shuffle uniform normal",
}


def put_on(bus: Bus, patches: Patches) -> None:
    import torch

    if bus.wants(RandomDraw, RandomSeed):
        _randomness(bus, patches)
    if bus.wants(Lstsq):
        patches.put(torch.linalg, "lstsq", _lstsq(bus, torch.linalg.lstsq))
    if bus.wants(BuildLockWait):
        from torch.utils.file_baton import FileBaton

        patches.put(FileBaton, "wait", _wait(bus, FileBaton.wait))


def _randomness(bus: Bus, patches: Patches) -> None:
    import torch

    patches.put(torch, "manual_seed", _seed(bus, torch.manual_seed, "torch"))
    for home, names in DRAWS.items():
        owner = random if home == "random" else sys.modules.get(home)
        if owner is None:
            continue
        for name in ("seed", "setstate", "set_state"):
            if hasattr(owner, name):
                patches.put(owner, name, _seed(bus, getattr(owner, name), home))
        for name in names.split():
            patches.put(owner, name, _draw(bus, getattr(owner, name), home, name))


def _seed(bus: Bus, original: Any, home: str) -> Any:
    def tapped(*args: Any, **kwargs: Any) -> Any:
        bus.dispatch(RandomSeed, home)
        return original(*args, **kwargs)

    return tapped


def _draw(bus: Bus, original: Any, home: str, name: str) -> Any:
    gate = bus.gate

    def tapped(*args: Any, **kwargs: Any) -> Any:
        if not gate.shut and is_user(sys._getframe(1).f_code.co_filename):
            bus.dispatch(RandomDraw, home, name)
        return original(*args, **kwargs)

    return tapped


def _lstsq(bus: Bus, original: Any) -> Any:
    gate = bus.gate

    def lstsq(*args: Any, **kwargs: Any) -> Any:
        if not gate.shut and args:
            bus.dispatch(Lstsq, args[0], kwargs.get("driver"))
        return original(*args, **kwargs)

    return lstsq


def _wait(bus: Bus, original: Any) -> Any:
    def wait(self: Any) -> Any:
        bus.dispatch(BuildLockWait, self.lock_file_path)
        return original(self)

    return wait
