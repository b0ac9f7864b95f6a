"""What a long command does when it is told to end: it tells what it has."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager

ENDS = [signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])]


@contextmanager
def told_to_end() -> Iterator[None]:
    """Meanwhile SIGTERM and SIGHUP are KeyboardInterrupt, as Ctrl-C is: schedulers of clusters send the one,
    a terminal that closes the other, where no `nohup` has it ignored."""
    asking = [each for each in ENDS if signal.getsignal(each) not in (signal.SIG_IGN, None)]
    before = {each: signal.signal(each, signal.default_int_handler) for each in asking}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
