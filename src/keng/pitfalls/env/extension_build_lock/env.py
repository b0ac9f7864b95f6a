"""The machine: a build that was interrupted keeps the next one waiting."""

from __future__ import annotations

from keng.env.machine import Machine
from keng.model import Hits, say
from keng.rules import probes


@probes
def lock_that_nobody_holds(machine: Machine) -> Hits:
    """The process that compiles keeps the lock open from its making to its end."""
    for lock in machine.extension_files("lock"):
        holders = machine.holders(lock)
        if holders:
            continue
        proved = holders is not None and not machine.seen_by_others(lock)
        yield machine.hit(
            say("lock-held-by-none", lock=lock) if proved else say("lock-perhaps-held", lock=lock),
            f"rm {lock}",
            {lock: machine.age(lock), "/proc": "no process holds it open"},
            sure=proved,
            removes=(lock,) if proved else (),
        )
