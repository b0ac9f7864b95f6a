"""The end of a watched process, when its program is over and what it has shown is still to be reported."""

from __future__ import annotations

import ctypes
import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

Handler = Callable[[int, FrameType | None], Any] | signal.Handlers
STOPS, LONGEST_REPORT = 1.0, 20.0
"""Seconds that a program in which SIGTERM has come stops for the report, and after which it dies without."""


class Ending:
    """Wakes the thread that watches a program: when the program is over (`over`), and when SIGTERM has come
    (`asked`), which a launcher sends to all ranks a tenth of a second after one has died.

    A handler of Python's runs only when the program is back in Python, and a rank may wait within C++ for as
    long as the job lasts. The byte that Python's handler in C writes reaches the thread at once.
    """

    def __init__(self) -> None:
        self.over = self.asked = False
        self._reader, self._writer = socket.socketpair()
        self._writer.setblocking(False)

    def arm(self) -> None:
        """From here on SIGTERM waits for the report. A handler of the program's own is left alone."""
        global _armed
        if not _is_free():
            return
        before = signal.set_wakeup_fd(self._writer.fileno(), warn_on_full_buffer=False)
        if before != -1:
            signal.set_wakeup_fd(before)
            return
        signal.signal(signal.SIGTERM, self._handle)
        _armed = self

    def disarm(self, instead: Handler = signal.SIG_DFL) -> None:
        """In the thread that has armed it. The handler is replaced first: there is no moment at which the
        signal has none."""
        global _armed
        if _armed is not self or threading.current_thread() is not threading.main_thread():
            return
        if signal.getsignal(signal.SIGTERM) == self._handle:
            signal.signal(signal.SIGTERM, instead)
        if (descriptor := signal.set_wakeup_fd(-1)) != self._writer.fileno():
            signal.set_wakeup_fd(descriptor)  # the program's own
        _armed = None

    def finish(self) -> None:
        """The program is over."""
        self.over = True
        self._wake()

    def comes(self, seconds: float | None = None) -> bool:
        """Waits for so long. Whether the program is over or SIGTERM has come."""
        if not self.over and not self.asked:
            self._reader.settimeout(seconds)
            with suppress(TimeoutError):
                self.asked |= signal.SIGTERM in self._reader.recv(4096) and _armed is self
        return self.over or self.asked

    def die(self) -> None:
        """Ends the process as SIGTERM does without a handler. Not `signal.signal`, which only the main thread
        may call."""
        ctypes.CDLL(None).signal(signal.SIGTERM, ctypes.c_void_p(0))
        os.kill(os.getpid(), signal.SIGTERM)

    def _wake(self) -> None:
        with suppress(OSError):
            self._writer.send(b"\0")

    def _handle(self, number: int, frame: FrameType | None) -> None:
        """The program stops while the thread reports, which ends the process. The report may need what the
        program holds, such as the lock of a module that is being imported: then it continues."""
        self.asked = True
        self._wake()
        threading.Event().wait(STOPS)
        last = threading.Timer(LONGEST_REPORT, self.die)
        last.daemon = True
        last.start()

    def close(self) -> None:
        self._reader.close()
        self._writer.close()


_armed: Ending | None = None


def _disarm(instead: Handler) -> bool:
    """Whether one was armed, and no handler of the program's own has come since."""
    if _armed is not None:
        _armed.disarm(instead)
    return signal.getsignal(signal.SIGTERM) is instead


def _forget() -> None:
    """A forked process dies of SIGTERM at once, and does not write to its parent."""
    _disarm(signal.SIG_DFL)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


def _is_free() -> bool:
    """Whether this is the main thread, and SIGTERM has no handler."""
    if threading.current_thread() is not threading.main_thread() or os.name != "posix":
        return False
    return signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


@contextmanager
def told_first() -> Iterator[None]:
    """Meanwhile SIGTERM waits: a launcher sends it to all others a tenth of a second after one has died.
    A handler of the program's own is left alone."""
    came: list[int] = []
    holds = lambda number, _: came.append(number)  # noqa: E731
    if not _disarm(holds):
        if not _is_free():
            yield
            return
        signal.signal(signal.SIGTERM, holds)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        if came:
            os.kill(os.getpid(), signal.SIGTERM)
