"""DataLoaders that wait for their workers without end, and what these are doing."""

from __future__ import annotations

from time import sleep
from typing import Any

from keng.env.files import Files
from keng.env.processes import status_of
from keng.run.bus import Recorder
from keng.run.moments import StalledLoader, Worker
from keng.run.state import Facts, Scene
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

    makes = ("loader.stalled",)

    def __init__(self, scene: Scene) -> None:
        super().__init__(scene)
        self.stacks = Stacks()
        self.waited = 0.0
        self.yielded = -1

    def stalled(self, iterator: Any, seconds: float) -> None:
        if iterator._num_yielded != self.yielded:  # another batch than was waited for
            self.yielded, self.waited = iterator._num_yielded, 0.0
        self.waited += seconds
        facts = StallFacts(iterator._workers, self.stacks)
        gives_up = iterator._timeout > 0
        moment = StalledLoader(self.scene.step, facts, self.waited, gives_up)
        self.scene.show("loader.stalled", moment)


def _ticks(pid: int) -> int:
    """Processor time that a process has used, in the kernel's ticks."""
    status = status_of(Files(), pid)
    return status.ticks if status is not None else 0
