"""Error messages: a communication hook of DistributedDataParallel is not what DDP can call."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("argument-of-another-name")
def argument_of_another_name(failure: Failure) -> Hits:
    if failure.raised_in.endswith("torch/nn/parallel/distributed.py"):
        yield failure.hit(say("second-argument-hook-named"))
