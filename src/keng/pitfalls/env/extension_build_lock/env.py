"""The machine: a build that was interrupted keeps the next one waiting."""

from __future__ import annotations

from keng.env.machine import Machine
from keng.model import Hits
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
            f"{lock} is there and no process holds it{'' if proved else ' that can be seen from here'}: "
            "every program that wants this extension waits for ever",
            f"rm {lock}",
            {lock: machine.age(lock), "/proc": "no process holds it open"},
            sure=proved,
            removes=(lock,) if proved else (),
        )
