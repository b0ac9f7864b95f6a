"""What a long command does when it is told to end: it tells what it has."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def told_to_end() -> Iterator[None]:
    """Meanwhile SIGTERM is KeyboardInterrupt, as Ctrl-C is: schedulers of clusters send the one, people
    the other."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
