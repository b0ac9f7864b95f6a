"""Where torch is tapped. All taps are put on and taken off here, and leave no trace behind.

Each is as low as it can be: functions of `torch.nn.functional` are left as they are (dynamo, fx and
`from`-imports know them by identity) and the C function under them is tapped instead.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from keng.ranks.collect import spawn
from keng.run.bus import Bus
from keng.run.plan import Spawned
from keng.run.state import tensors_in
from keng.run.taps import (
    autograd,
    distributed,
    forward,
    functional,
    initial,
    loader,
    optim,
    outside,
    scaling,
    state,
    tensors,
    warned,
)
from keng.run.taps.patches import Patches, hide_from_dynamo, is_special
from keng.run.worker_stacks import listen

TAPS = (
    loader, forward, functional, autograd, optim, scaling, state, outside, tensors, distributed,
    initial, warned,
)  # fmt: skip
_on: set[Callable[[], None]] = set()


def put_on(bus: Bus, watched: Spawned | None = None) -> Callable[[], None]:
    """Puts on the taps whose events a recorder listens to. Returns what takes them off. `watched` is for
    the processes that the program spawns. A tap that finds no place in this torch leaves the others be."""
    patches = Patches()
    for ours in (Bus.dispatch, is_special, tensors_in):
        hide_from_dynamo(ours, below=True)
    for tap in TAPS:
        try:
            tap.put_on(bus, patches)
        except Exception as error:  # another torch than was known: the program must not suffer
            bus.record_failure(f"the tap of {tap.__name__.rpartition('.')[-1]}", error)
    if watched is not None:
        spawn.put_on(watched, patches)

    def take_off() -> None:
        _on.discard(take_off)
        bus.gate.close()
        patches.undo()

    _on.add(take_off)
    return take_off


def _leave_children_in_peace() -> None:
    """They say nothing more, but what they are doing when they are asked, and no frame of ours stands in
    the tracebacks that workers of loaders send as text."""
    for take_off in tuple(_on):
        take_off()
    listen()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_leave_children_in_peace)

__all__: list[Any] = ["put_on"]
