"""A running program: a DataLoader's worker was ended from outside."""

from __future__ import annotations

import os

from keng.env.cgroups import kills
from keng.env.files import Files
from keng.model import say
from keng.run.events import LoaderFailed
from keng.run.recorder import Recorder
from keng.run.state import RunState


class KilledWorkers(Recorder):
    """Whether the kernel has killed processes on this machine for memory since the run began."""

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.killed = kills(Files())

    def loader_failed(self, event: LoaderFailed) -> None:
        error = event.error
        if type(error) is not RuntimeError or not str(error).startswith("DataLoader worker (pid"):
            return
        killed = kills(Files()) - self.killed
        free = f"{_free_memory() / 2**30:.1f}"
        says = say("killed-for-memory", number=killed, free=free)
        if not killed:
            says = say("not-killed-for-memory", free=free)
        self.report(says, killed_for_memory=killed)


def _free_memory() -> int:
    """Bytes."""
    return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
