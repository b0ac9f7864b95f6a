"""The machine: the limit of locked memory is too small for the network cards."""

from __future__ import annotations

from keng.env.machine import Machine
from keng.model import Hits, say
from keng.rules import probes

ENOUGH = 1 << 30
"""Bytes. NCCL locks some megabytes for each connection."""


@probes
def little_may_be_locked(machine: Machine) -> Hits:
    cards, limit = machine.names("/sys/class/infiniband"), machine.limit("memlock")
    if cards and 0 <= limit < ENOUGH:
        yield machine.hit(
            say("process-may-lock-kib", card=limit >> 10, cards=cards[0]),
            "ulimit -l unlimited",
            {"ulimit -l": f"{limit >> 10} KiB", f"/sys/class/infiniband/{cards[0]}": "there"},
        )
