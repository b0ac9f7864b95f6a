"""A bar on standard error, where that is a terminal and the files take more than two seconds."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich import progress

PATIENCE = 2.0


class Progress:
    """Is called with the number of files that are done, and of how many; 0 where nobody knows."""

    def __init__(self) -> None:
        self._begin = time.monotonic()
        self._bar: progress.Progress | None = None
        self._task: progress.TaskID | None = None

    def __call__(self, done: int, total: int) -> None:
        if self._bar is None:
            if time.monotonic() - self._begin < PATIENCE or not sys.stderr.isatty():
                return
            self._bar = _bar()
        if self._task is None:
            self._task = self._bar.add_task("", total=total or None)
        self._bar.update(self._task, completed=done, total=total or None)

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Takes the bar away; what follows is for the screen."""
        if self._bar is not None:
            self._bar.stop()


def _bar() -> progress.Progress:
    from rich import progress
    from rich.console import Console

    columns = (progress.BarColumn(), progress.MofNCompleteColumn(), progress.TimeRemainingColumn())
    bar = progress.Progress(*columns, console=Console(stderr=True), transient=True)
    bar.start()
    return bar
