"""Error messages: several cards are driven by one process."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

INSTALLED = re.compile(r"-packages/(?!torch/)(\w+)/")


@explains("a-loss-from-each-card")
def a_loss_from_each_card(failure: Failure) -> Hits:
    yield failure.hit(say("each-card-returns-scalar"))


@explains("replicas-have-no-parameters")
def replicas_have_no_parameters(failure: Failure) -> Hits:
    cards = any("parallel_apply.py" in frame.path for frame in failure.frames)
    if cards or failure.groups.get("what"):
        library = INSTALLED.search(failure.raised_in)
        cure = "take the device of an input instead of next(self.parameters()), or DistributedDataParallel"
        if library is not None:
            cure = f"a newer {library[1]}, one card (CUDA_VISIBLE_DEVICES=0), or DistributedDataParallel"
        yield failure.hit(f"the copies that DataParallel makes have no parameters(): {cure}")
