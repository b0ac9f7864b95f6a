"""Error messages: a pipe of `torch.utils.data.datapipes` is used as it cannot be."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("of-other-arguments")
def of_other_arguments(failure: Failure) -> Hits:
    name, takes = failure.groups["name"], failure.groups["takes"]
    yield failure.hit(say("takes-arguments-pipe-gives", takes=name, takes_2=takes))
