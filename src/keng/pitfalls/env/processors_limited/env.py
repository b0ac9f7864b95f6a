"""The machine: the container grants fewer processors than Python counts."""

from __future__ import annotations

from keng.env.machine import Machine
from keng.model import Hits
from keng.rules import probes


@probes
def fewer_than_counted(machine: Machine) -> Hits:
    limits = [limit for limit in (machine.cpu_quota, machine.cpus_allowed) if limit is not None]
    most, file = min(limits, default=(machine.cpus, ""))
    if 2 * most > machine.cpus or machine.variable("OMP_NUM_THREADS"):
        return
    granted = max(1, int(most))
    who = "process" if file == "/proc/self/status" else "container"
    yield machine.hit(
        f"os.cpu_count() is {machine.cpus}, and the {who} may use {most:g}: workers and "
        "threads as many as are counted slow each other down",
        f"export OMP_NUM_THREADS={granted} # and num_workers={granted}",
        {file: f"{most:g} processors"},
    )
