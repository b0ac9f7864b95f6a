"""How long this rank's steps take, and how much of that it waits: for its loader, and in collectives.

Every rank reads its own clocks alone. A collective that Python calls is timed while the program waits for it.
Those of a backward pass are called by C++: there the wait is the time from the last one that the pass made,
which the journal knows, to the end of the pass.
"""

from __future__ import annotations

import os
from bisect import bisect_left, bisect_right
from collections import Counter, deque
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from threading import get_ident, get_native_id
from time import perf_counter, process_time, time
from types import CodeType, FrameType
from typing import Any, NamedTuple

import torch.distributed as dist

from keng.model import Span
from keng.ranks.calls import Call
from keng.ranks.reports import Pace
from keng.run.frames import here, user_frames
from keng.run.taps.patches import Patches

WARM_UP = 10
"""Steps that are left out: buffers are allocated, buckets rebuilt, workers started."""
LEAST = 8
"""Steps of a part of the window."""
EARLY_PARTS, EARLY_PART = 6, 0.5
"""The first parts of a run, and their seconds: a large delay is seen in these, and in short runs."""
KEPT = 4096
LINES = 4
"""Lines that are sent of those that were seen to run."""
WAITING = os.path.join("torch", "distributed")


class Pass(NamedTuple):
    """A backward pass, in seconds since 1970. `waited` is when Python last waited in it."""

    begun: float
    ended: float
    waited: float


@dataclass(slots=True)
class StepTime:
    """Seconds of one step, `cpu` those of processors. `at` is its end, in seconds since 1970."""

    seconds: float = 0.0
    cpu: float = 0.0
    data: float = 0.0
    waited: float = 0.0
    passes: list[Pass] = field(default_factory=list)
    at: float = 0.0


class StepTimes:
    """Written by the program's thread, and drained by the one that watches."""

    def __init__(self) -> None:
        self.ended: deque[StepTime] = deque(maxlen=KEPT)
        self.loads: Span | None = None
        self.steps: Span | None = None
        self.loop: CodeType | None = None
        self._step = StepTime()
        self._count = 0
        self._begun = self._begun_cpu = self._pass_begun = self._waited_at = 0.0
        self._program = get_ident()
        self._patches = Patches()
        wait = self._timed(dist.distributed_c10d.Work.wait)
        self._patches.put(dist.distributed_c10d.Work, "wait", wait)
        if hasattr(dist, "_broadcast_coalesced"):  # the buffers of DistributedDataParallel
            broadcast = self._timed(dist._broadcast_coalesced)
            self._patches.put(dist, "_broadcast_coalesced", broadcast)

    def close(self) -> None:
        self._patches.undo()

    def batch(self, waited: float) -> None:
        self._step.data += waited
        if self.loads is None:
            self.loads = here()

    def begin_backward(self) -> None:
        self._pass_begun = time()

    def end_backward(self) -> None:
        self._step.passes.append(Pass(self._pass_begun, time(), self._waited_at))

    def end_step(self) -> None:
        now, cpu = perf_counter(), process_time()
        step, self._step = self._step, StepTime()
        self._count += 1
        if self._count > WARM_UP:
            step.seconds, step.cpu = now - self._begun, cpu - self._begun_cpu
            step.at = time()
            self.ended.append(step)
        elif self.steps is None:
            self.steps = here()
            self.loop = next((frame.f_code for frame in user_frames()), None)
        self._begun, self._begun_cpu = now, cpu

    def _timed(self, original: Any) -> Any:
        def tapped(*args: Any, **kwargs: Any) -> Any:
            if get_ident() != self._program:
                return original(*args, **kwargs)
            begun = perf_counter()
            try:
                return original(*args, **kwargs)
            finally:
                self._step.waited += perf_counter() - begun
                self._waited_at = time()

        return tapped


class Calls:
    """When collectives were made, and the stretches in which the journal has lost some."""

    def __init__(self) -> None:
        self._at: list[float] = []
        self._last: dict[str, Call] = {}
        self._lost: list[tuple[float, float]] = []

    def add(self, calls: Iterable[Call]) -> None:
        for call in calls:
            last = self._last.get(call.group)
            if last is not None and call.number != last.number + 1:
                self._lost.append((last.at, call.at))
            self._last[call.group] = call
            self._at.append(call.at)
        self._at.sort()

    def forget(self, before: float) -> None:
        self._at = self._at[bisect_left(self._at, before) :]
        self._lost = [each for each in self._lost if each[1] > before]

    def has_all(self, step: StepTime) -> bool:
        begun = step.at - step.seconds
        return not any(start < step.at and end > begun for start, end in self._lost)

    def waited(self, step: StepTime) -> float:
        """Seconds that the program waited in collectives during a step."""
        return step.waited + sum(map(self._waited_in, step.passes))

    def _waited_in(self, each: Pass) -> float:
        place = bisect_right(self._at, each.ended)
        last = self._at[place - 1] if place else 0.0
        return each.ended - max(last, each.waited) if last >= each.begun else 0.0


class Queue:
    """How much of the time a thread waits for a processor, by Linux's own count."""

    def __init__(self, thread: int) -> None:
        self._file = f"/proc/self/task/{thread}/schedstat"
        self._last = self._read(), perf_counter()

    def share(self) -> float:
        """Since the last time; 0 where nobody counts."""
        (before, begun), now = self._last, (self._read(), perf_counter())
        self._last = now
        return (now[0] - before) / (now[1] - begun)

    def _read(self) -> float:
        with suppress(OSError, ValueError, IndexError), open(self._file) as file:
            return int(file.read().split()[1]) / 1e9
        return 0.0


class Pacer:
    """Sums the steps of a part of the window."""

    def __init__(self, rank: int, part: float) -> None:
        self._rank, self._part = rank, part
        self._calls = Calls()
        self._queue = Queue(get_native_id())
        self._busy: Counter[Span] = Counter()
        self._seen = 0
        self.early = EARLY_PARTS if part > EARLY_PART else 0
        self.times: StepTimes | None = None

    def add(self, calls: Iterable[Call]) -> None:
        if self.times is not None:
            self._calls.add(calls)

    def look(self, frame: FrameType | None) -> None:
        """At the program's frame: where in the loop of the steps it is, if it does not wait for others."""
        times, at = self.times, frame
        if times is None or times.loop is None:
            return
        while at is not None and at.f_code is not times.loop:
            if WAITING in at.f_code.co_filename:
                return
            at = at.f_back
        if at is not None:
            self._seen += 1
            self._busy[Span(at.f_code.co_filename, at.f_lineno)] += 1

    def is_due(self) -> bool:
        if self.times is None or len(self.times.ended) < LEAST:
            return False
        part = EARLY_PART if self.early else self._part
        return self.times.ended[-1].at - self.times.ended[0].at >= part

    def pace(self) -> Pace | None:
        """Of the steps since the last time. The longest is left out: what a rank does now and then, such as
        to save a checkpoint, is no pace."""
        times = self.times
        if times is None:
            return None
        steps = [times.ended.popleft() for _ in range(len(times.ended))]
        steps = [step for step in steps if self._calls.has_all(step)]
        steps.sort(key=lambda step: step.seconds)
        kept = steps[:-1]
        if len(kept) < LEAST - 1:
            return None
        seconds, data = sum(s.seconds for s in kept), sum(s.data for s in kept)
        waited = sum(map(self._calls.waited, kept))
        self._calls.forget(max(step.at for step in steps))
        early, self.early = self.early > 0, max(0, self.early - 1)
        busy, seen = dict(self._busy.most_common(LINES)), self._seen
        self._busy.clear()
        self._seen = 0
        pace = Pace(self._rank, len(kept), seconds, data, waited, times.loads, times.steps)
        cpu, queued = sum(step.cpu for step in kept), seconds * self._queue.share()
        return pace._replace(cpu=cpu, queued=queued, busy=busy, seen=seen, early=early)
