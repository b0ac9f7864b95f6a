"""Error messages: a function given to spawn does not take the rank."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("rank-not-expected")
def rank_not_expected(failure: Failure) -> Hits:
    if failure.raised_in.endswith("torch/multiprocessing/spawn.py"):
        takes, came = failure.groups["takes"], failure.groups["came"]
        yield failure.hit(say("spawn-calls-function-rank", takes=came, takes_2=takes))
