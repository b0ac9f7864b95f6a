"""Error messages: `torch.compile` does not support this Python version or operating system."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("not-here")
def not_here(failure: Failure) -> Hits:
    where = failure.groups["where"]
    system = say("system-not-supported", where=where)
    python = where.startswith("Python")
    yield failure.hit(say("python-not-supported", where=where) if python else system)
