"""Error messages: processes are started by `torch.distributed.launch`."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("spelled-otherwise")
def spelled_otherwise(failure: Failure) -> Hits:
    yield failure.hit(say("launcher-adds-argument-program"))


@explains("warned")
def warned(failure: Failure) -> Hits:
    yield failure.hit(say("start-torchrun-read-local"))
