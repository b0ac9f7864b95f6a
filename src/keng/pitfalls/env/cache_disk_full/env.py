"""The machine: the disk of a cache or of the temporary folder is full."""

from __future__ import annotations

from keng.env.machine import Machine
from keng.model import Hits, say
from keng.rules import probes

LEAST = 100
"""MiB, less than the smallest of pretrained weights."""


@probes
def no_room_left(machine: Machine) -> Hits:
    for variable, folder in machine.caches.items():
        space = machine.space(folder)
        if space is not None and space.free < LEAST << 20 and space.total:
            free = space.free >> 20
            yield machine.hit(
                say("cache-nearly-full", folder=folder, free=free),
                f"du -xh {folder} | sort -h | tail # or export {variable}=...",
                {folder: f"{free} of {space.total >> 20} MiB free"},
            )
            return
