"""DataLoaders that wait for their workers without end, and what these are doing."""

from __future__ import annotations

from time import sleep
from typing import Any

from keng.env.files import Files
from keng.env.processes import status_of
from keng.run.events import LoaderStalled
from keng.run.moments import StalledLoader, Worker
from keng.run.recorder import Recorder
from keng.run.state import Facts, RunState
from keng.run.worker_stacks import Stacks

LOOK = 0.3
"""Seconds in which a worker that works uses some processor time, and one that is asked has answered."""


class StallFacts(Facts):
    def __init__(self, workers: list[Any], stacks: Stacks) -> None:
        self._workers, self._stacks = workers, stacks

    def workers(self) -> tuple[Worker, ...]:
        pids = [worker.pid for worker in self._workers if worker.pid is not None]
        before = {pid: _ticks(pid) for pid in pids}
        lines = {pid: self._stacks.ask(pid) for pid in pids}
        sleep(LOOK)
        return tuple(
            Worker(pid, _ticks(pid) <= before[pid], self._stacks.answer(lines[pid])) for pid in pids
        )


class Stalls(Recorder):
    """torch looks every five seconds whether the workers still live; that is when this is told."""

    provides = ("loader.stalled",)

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
        facts = StallFacts(iterator._workers, self.stacks)
        gives_up = iterator._timeout > 0
        moment = StalledLoader(self.run.step, facts, self.waited, gives_up)
        self.run.show("loader.stalled", moment)


def _ticks(pid: int) -> int:
    """Processor time that a process has used, in the kernel's ticks."""
    status = status_of(Files(), pid)
    return status.ticks if status is not None else 0
