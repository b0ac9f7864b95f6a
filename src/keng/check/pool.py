"""Work in several processes: forked from this one, so that they know all that it knows."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator
from typing import Any

MOST = 8
"""Processes; each holds the trees of a portion of files."""
_work: Callable[[int], Any]


def cores() -> int:
    """The processors that may be used; one where processes cannot be forked safely."""
    if sys.platform != "linux":
        return 1
    return min(len(os.sched_getaffinity(0)), MOST)


def in_processes(work: Callable[[int], Any], times: int) -> Iterator[Any]:
    """What `work` gives for 0, 1, ... in this order; None where the process died that was at it, or was
    to come to it."""
    global _work
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    _work = work
    context = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(min(cores(), times), context, initializer=_begin) as pool:
        for future in [pool.submit(_at, number) for number in range(times)]:
            try:
                yield future.result()
            except BrokenProcessPool:
                yield None


def _begin() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # the first process is the one that says so


def _at(number: int) -> Any:
    return _work(number)
