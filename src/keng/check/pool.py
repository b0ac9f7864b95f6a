"""Work in several processes: forked from this one, so that they know all that it knows. Each piece of work
has one of its own, whose memory goes with it: what is kept beside trees that are let go holds theirs."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

MOST = 8
"""Processes; each holds the trees of a portion of files."""


def cores() -> int:
    """The processors that may be used; one where processes cannot be forked safely."""
    if sys.platform != "linux":
        return 1
    return min(len(os.sched_getaffinity(0)), MOST)


def in_processes(work: Callable[[int], Any], times: int) -> Iterator[Any]:
    """What `work` gives for 0, 1, ... in this order; None where the process died that was at it. Raises
    what `work` raises."""
    from multiprocessing.connection import wait  # late: few runs are so large

    left, done = iter(range(times)), dict[int, Any]()
    running: dict[Connection, tuple[int, BaseProcess]] = {}
    try:
        for number in range(times):
            while number not in done:
                while len(running) < cores() and (start := next(left, None)) is not None:
                    running |= _started(work, start)
                for end in wait(list(running)):
                    at, process = running.pop(end)  # type: ignore[call-overload]
                    done[at] = _told(end)  # type: ignore[arg-type]
                    process.join()
            result, raised = done.pop(number)
            if raised is not None:
                raise raised
            yield result
    finally:
        for _, process in running.values():
            process.kill()


def _started(work: Callable[[int], Any], number: int) -> dict[Connection, tuple[int, BaseProcess]]:
    import multiprocessing

    ours, theirs = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("fork").Process(target=_at, args=(work, number, theirs))
    process.start()
    theirs.close()  # so that the pipe ends where the process does
    return {ours: (number, process)}


def _told(end: Connection) -> tuple[Any, Exception | None]:
    with end:
        try:
            told: tuple[Any, Exception | None] = end.recv()
        except EOFError:
            return None, None
        return told


def _at(work: Callable[[int], Any], number: int, end: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # the first process is the one that says so
    try:
        end.send((work(number), None))
    except Exception as error:
        end.send((None, error))
