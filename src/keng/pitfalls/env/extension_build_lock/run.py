"""A running program: a build that was interrupted keeps the next one waiting."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import WaitedLock


@watches("lock.waited")
def nobody_builds(lock: WaitedLock) -> Hits:
    if not lock.held:
        says = f"waits for {lock.path}, which no process has open: an interrupted build has left it"
        yield lock.hit(f"{says}; delete it", age=lock.age)
