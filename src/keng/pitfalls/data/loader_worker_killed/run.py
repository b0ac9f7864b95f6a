"""A running program: a DataLoader's worker was ended from outside."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import LoaderFailed


@watches("loader.failed")
def worker_gone(loader: LoaderFailed) -> Hits:
    if not loader.message.startswith("RuntimeError: DataLoader worker (pid"):
        return
    free = f"{loader.free / 2**30:.1f} GiB of memory are free now"
    cause = f"the kernel has killed nothing for memory, {free}: it crashed, or somebody ended it"
    if loader.killed_for_memory:
        cause = f"the kernel has killed {loader.killed_for_memory} process for memory; {free}"
    yield loader.hit(f"a worker is gone: {cause}", killed_for_memory=loader.killed_for_memory)
