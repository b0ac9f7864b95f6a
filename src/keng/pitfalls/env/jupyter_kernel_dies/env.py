"""The machine: a notebook's kernel dies, and its error is not shown."""

from __future__ import annotations

from keng.env.machine import Machine
from keng.model import Hits, say
from keng.rules import probes

SMALL = 64 << 20
"""Bytes of `/dev/shm` that Docker gives."""


@probes
def notebook_without_room(machine: Machine) -> Hits:
    commands = [process.command for process in machine.processes]
    notebook = machine.variable("JPY_PARENT_PID") or any("jupyter" in text for text in commands)
    shared, killed = machine.space("/dev/shm"), machine.killed_for_memory
    if notebook and shared is not None and shared.total <= SMALL:
        yield machine.hit(
            say("notebook-s-kernel-has", size=shared.total >> 20),
            "docker run --shm-size=8g ...",
            {"/dev/shm": f"{shared.total >> 20} MiB"},
        )
    if notebook and killed is not None and killed[0] and machine.memory_limit is not None:
        yield machine.hit(
            say("process-notebook-may-kernel", n=killed[0]),
            "free -h",
            {killed[1]: f"oom_kill {killed[0]}", machine.memory_limit[1]: machine.memory_limit[0]},
        )
