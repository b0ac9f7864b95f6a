"""The machine: processes of a run that has ended still hold the card."""

from __future__ import annotations

from keng.env.machine import Machine
from keng.model import Hits, say
from keng.rules import probes

CHILDREN = ("multiprocessing.spawn", "multiprocessing.forkserver", "--multiprocessing-fork")


@probes
def without_a_parent(machine: Machine) -> Hits:
    orphans = [p for p in machine.processes if p.parent == 1 and "python" in p.command]
    held = dict(machine.holders_below("/dev/nvidia")) if orphans else {}
    for process in orphans:
        if process.pid not in held or process.pid == 1:
            continue
        child = any(word in process.command for word in CHILDREN)
        given = {"pid": process.pid, "device": held[process.pid]}
        yield machine.hit(
            say("worker-holds-gpu", **given) if child else say("program-holds-gpu", **given),
            f"kill {process.pid}",
            {f"/proc/{process.pid}/cmdline": process.command[:120]},
            sure=child,
        )
