"""The machine: the cuDNN library cannot start."""

from __future__ import annotations

from keng.env.machine import Machine
from keng.model import Hits, say
from keng.rules import probes

ENOUGH = 500
"""MiB that a context of CUDA and cuDNN take about."""


@probes
def cache_of_another_user(machine: Machine) -> Hits:
    folder = machine.variable("CUDA_CACHE_PATH") or f"{machine.home}/.nv/ComputeCache"
    status = machine.status(folder)
    if (
        machine.user
        and status is not None
        and status.st_uid != machine.user
        and not status.st_mode & 0o022
    ):
        yield machine.hit(
            say("may-not-written-user", folder=folder),
            f"sudo rm -r {folder}",
            {folder: f"owner {status.st_uid}, mode {status.st_mode & 0o777:o}"},
        )


@probes
def card_is_full(machine: Machine) -> Hits:
    for card in machine.cards_answered() if machine.driver else ():
        free, total = card["memory.free"], card["memory.total"]
        if free.isdecimal() and int(free) < ENOUGH:
            yield machine.hit(
                say("card-has-mib-free", total=card["index"], free=free, total_2=total),
                "nvidia-smi --query-compute-apps=pid,used_memory --format=csv",
                {"nvidia-smi": f"card {card['index']}: {free} of {total} MiB free"},
            )
