"""The time that is spent on the shapes of one error."""

from __future__ import annotations

import time

LIMIT_SECONDS = 2.0


class Deadline:
    """In CPU time of this thread, which a busy machine does not shorten."""

    def __init__(self) -> None:
        self._end = time.thread_time() + LIMIT_SECONDS

    def is_over(self) -> bool:
        return time.thread_time() > self._end
