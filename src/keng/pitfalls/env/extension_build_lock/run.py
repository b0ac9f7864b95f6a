"""A running program: a build that was interrupted keeps the next one waiting."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from time import time

from keng.model import say
from keng.run.events import BuildLockWait
from keng.run.recorder import Recorder


class BuildLocks(Recorder):
    def build_lock_wait(self, event: BuildLockWait) -> None:
        path = event.path
        with contextlib.suppress(OSError):
            age = time() - Path(path).stat().st_mtime
            if not _is_open(path):
                self.report(say("waits-for-open-lock", path=path), age=age)


def _is_open(path: str) -> bool:
    """Whether a process has a file open: a build keeps its lock open until it is done."""
    wanted = os.path.realpath(path)
    for descriptor in Path("/proc").glob("[0-9]*/fd/*"):
        with contextlib.suppress(OSError):
            if os.readlink(descriptor) == wanted:
                return True
    return False
