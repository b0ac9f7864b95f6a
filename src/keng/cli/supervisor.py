"""A process that outlives a program, and tells what it could not: it was killed, or left by os._exit.

A handler of signals would be seen by the program, and could not run while it hangs in C.
"""

from __future__ import annotations

import mmap
import os
import pickle
import select
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress

from keng.model import Finding

ROOM = 1 << 20
"""Bytes for what is found, of which only those are taken that are written."""


class Survivor:
    """It is no child of the program's, which might wait for it, holds none of its files but standard
    error, and is in no session with it. What it shall know lies in memory that both see: a file would
    be open in the program."""

    def __init__(self, tell: Callable[[list[Finding]], None]) -> None:
        """To be called before there are threads. `tell` is called there, if anything was found."""
        self._memory = mmap.mmap(-1, ROOM)
        self._memory.seek(1)
        sys.stderr.flush()
        gone = os.pidfd_open(os.getpid())
        between = os.fork()
        if not between:
            self._begin(gone, tell)
        os.close(gone)
        os.waitpid(between, 0)

    def note(self, finding: Finding) -> None:
        with suppress(ValueError):  # there is no room left
            self._memory.write(pickle.dumps(finding))

    def dismiss(self) -> None:
        """The program tells it itself."""
        self._memory[0] = 1

    def _begin(self, gone: int, tell: Callable[[list[Finding]], None]) -> None:
        """Never returns."""
        try:
            os.setsid()
            if not os.fork():
                self._outlive(gone, tell)
        finally:
            os._exit(0)

    def _outlive(self, gone: int, tell: Callable[[list[Finding]], None]) -> None:
        # Who ends a job sends its signal to all processes.
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        _let_go(gone)
        waiting = select.poll()
        waiting.register(gone, select.POLLIN)
        waiting.poll()
        if not self._memory[0] and (found := list(self._noted())):
            tell(found)
            sys.stderr.flush()

    def _noted(self) -> Iterator[Finding]:
        """Up to the first that is not whole."""
        self._memory.seek(1)
        with suppress(Exception):
            while True:
                yield pickle.load(self._memory)


def _let_go(kept: int) -> None:
    """Somebody may wait for the end of what the program writes, or for a lock."""
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    # Of a range, older systems would try every number: a thousand million in some containers.
    for number in map(int, os.listdir("/proc/self/fd")):
        if number not in (0, 1, 2, kept):
            with suppress(OSError):  # that of the folder itself
                os.close(number)


def survivor(tell: Callable[[list[Finding]], None]) -> Survivor | None:
    """None where the system cannot (only Linux can wait for a process that is no child), where nobody
    would hear it, and beside rank 0, which speaks for all."""
    heard = sys.stderr is not None and os.environ.get("RANK", "0") == "0"
    if not hasattr(os, "pidfd_open") or not heard:
        return None
    with suppress(OSError):
        return Survivor(tell)
    return None
