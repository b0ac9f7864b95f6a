"""The machine: the container grants fewer processors than Python counts."""

from __future__ import annotations

from keng.env.machine import Machine
from keng.model import Hits, say
from keng.rules import probes


@probes
def fewer_than_counted(machine: Machine) -> Hits:
    limits = [limit for limit in (machine.cpu_quota, machine.cpus_allowed) if limit is not None]
    most, file = min(limits, default=(machine.cpus, ""))
    if 2 * most > machine.cpus or machine.variable("OMP_NUM_THREADS"):
        return
    granted = max(1, int(most))
    given = {"counted": machine.cpus, "most": f"{most:g}"}
    process = file == "/proc/self/status"
    yield machine.hit(
        say("process-limited", **given) if process else say("container-limited", **given),
        f"export OMP_NUM_THREADS={granted} # and num_workers={granted}",
        {file: f"{most:g} processors"},
    )
