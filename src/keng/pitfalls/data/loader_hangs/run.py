"""A running program: the DataLoader waits for a worker that gives nothing."""

from __future__ import annotations

from time import sleep
from typing import Any, NamedTuple

from keng.env.files import Files
from keng.env.processes import status_of
from keng.model import say
from keng.run.events import LoaderStalled
from keng.run.recorder import Recorder
from keng.run.state import RunState
from keng.run.worker_stacks import Stacks

LOOK = 0.3
"""Seconds in which a worker that works uses some processor time, and one that is asked has answered."""
LONG = 10
"""Seconds in which a batch comes, where nothing is wrong."""


class Worker(NamedTuple):
    """`doing` is the innermost line of its Python code, where it could be asked; `idle` where it has used
    no processor time since the last look."""

    pid: int
    idle: bool
    doing: str


class StalledLoaders(Recorder):
    """`LoaderStalled` comes every five seconds, when torch checks that the workers are alive."""

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.stacks = Stacks()
        self.waited = 0.0
        self.yielded = -1

    def loader_stalled(self, event: LoaderStalled) -> None:
        iterator = event.iterator
        if iterator._num_yielded != self.yielded:  # another batch than was waited for
            self.yielded, self.waited = iterator._num_yielded, 0.0
        self.waited += event.seconds
        if self.waited >= LONG or iterator._timeout > 0:  # with a timeout torch gives up now
            self._report(self._asked(iterator._workers))

    def _asked(self, processes: list[Any]) -> list[Worker]:
        pids = [worker.pid for worker in processes if worker.pid is not None]
        before = {pid: _ticks(pid) for pid in pids}
        lines = {pid: self.stacks.ask(pid) for pid in pids}
        sleep(LOOK)
        return [
            Worker(pid, _ticks(pid) <= before[pid], self.stacks.answer(lines[pid])) for pid in pids
        ]

    def _report(self, workers: list[Worker]) -> None:
        at = "; ".join(f"{w.pid}: {w.doing}" for w in workers if w.doing)
        idle, seconds = sum(worker.idle for worker in workers), f"{self.waited:.1f}"
        values = {"seconds": seconds, "idle": idle, "workers": len(workers), "at": at}
        if idle:
            says = say("workers-idle-at", **values) if at else say("workers-idle", **values)
        else:
            says = say("workers-busy-at", **values) if at else say("workers-busy", **values)
        self.report(says, sure=idle > 0, idle=idle)


def _ticks(pid: int) -> int:
    """Processor time that a process has used, in the kernel's ticks."""
    status = status_of(Files(), pid)
    return status.ticks if status is not None else 0
