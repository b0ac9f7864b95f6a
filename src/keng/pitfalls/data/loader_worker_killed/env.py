"""The machine: a DataLoader's worker was ended from outside."""

from __future__ import annotations

from keng.env.machine import Machine
from keng.model import Hits, say
from keng.rules import probes


@probes
def killed_for_memory(machine: Machine) -> Hits:
    killed, limit = machine.killed_for_memory, machine.memory_limit
    if killed is not None and killed[0] and limit is not None:
        number, file = killed
        gib = f"{limit[0] / 2**30:.1f}"
        says = say("processes-killed", number=number, limit=gib)
        yield machine.hit(
            say("process-killed", limit=gib) if number == 1 else says,
            f"cat {file}",
            {file: f"oom_kill {number}", limit[1]: limit[0]},
        )
