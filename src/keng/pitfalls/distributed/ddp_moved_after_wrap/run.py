"""A running program: a model is moved or cast after it was wrapped by DistributedDataParallel."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import MovedModule


@watches("module.moved")
def hooks_lost(seen: MovedModule) -> Hits:
    says = f"`{seen.module}` was wrapped by DistributedDataParallel before: other memory now lies under"
    yield seen.hit(f"{says} its parameters, and their gradients are no longer averaged")
