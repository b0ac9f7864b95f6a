"""Asks forked workers for their Python stack.

A worker that hangs cannot be asked by Python. `faulthandler` answers a signal from C, into a file that
has no name and that parent and workers share.
"""

from __future__ import annotations

import contextlib
import faulthandler
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from tempfile import mkstemp
from weakref import WeakSet, finalize

SIGNAL = getattr(signal, "SIGUSR2", None)
_open: WeakSet[Stacks] = WeakSet()
_beginning: list[bool] = []


class Stacks:
    def __init__(self) -> None:
        self.file = -1
        _open.add(self)

    def open(self) -> None:
        if self.file < 0:
            self.file, path = mkstemp(prefix="keng-")
            os.unlink(path)
            finalize(self, os.close, self.file)

    def ask(self, pid: int) -> int:
        """Where in the file the answer will begin; -1 where the worker does not listen."""
        if self.file < 0 or not _listens(pid):
            return -1
        at = os.fstat(self.file).st_size
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, SIGNAL)  # type: ignore[arg-type]
        return at

    def answer(self, at: int) -> str:
        """The innermost line of Python, as `file:line in function`."""
        if at < 0:
            return ""
        text = os.pread(self.file, 1 << 16, at).decode("utf-8", "replace")
        for line in text.splitlines():
            head, _, rest = line.strip().removeprefix("File ").partition(", line ")
            if rest and "/multiprocessing/" not in head:
                number, _, function = rest.partition(" in ")
                return f"{head.strip(chr(34))}:{number} in {function}"
        return ""


@contextlib.contextmanager
def workers_begin() -> Iterator[None]:
    """Children that are forked in here are a loader's."""
    for stacks in _open:
        stacks.open()
    _beginning.append(True)
    try:
        yield
    finally:
        _beginning.pop()


def listen() -> None:
    """In a worker: answers from now on. A handler that is there already is left alone."""
    if not _beginning or SIGNAL is None or signal.getsignal(SIGNAL) is not signal.SIG_DFL:
        return
    for stacks in _open:
        faulthandler.register(SIGNAL, file=stacks.file, all_threads=False)


def _listens(pid: int) -> bool:
    """Whether a process has a handler for the signal, which would otherwise end it."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False
    caught = next(line.split()[1] for line in status.splitlines() if line.startswith("SigCgt:"))
    return SIGNAL is not None and bool(int(caught, 16) >> (SIGNAL - 1) & 1)
