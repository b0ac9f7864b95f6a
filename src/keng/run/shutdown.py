"""The end of a watched process, when its program is over and what it has shown is still to be reported."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def told_first() -> Iterator[None]:
    """Meanwhile SIGTERM waits: a launcher sends it to all others a tenth of a second after one has died.
    A handler of the program's own is left alone."""
    ours = threading.current_thread() is threading.main_thread()
    if not ours or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return
    came: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, _: came.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        if came:
            os.kill(os.getpid(), signal.SIGTERM)
