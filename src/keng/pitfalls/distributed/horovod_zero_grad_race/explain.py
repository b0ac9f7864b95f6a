"""Error messages: gradients are cleared while Horovod still averages them."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("cleared-on-the-way")
def cleared_on_the_way(failure: Failure) -> Hits:
    says = say("gradients-still-being-averaged")
    yield failure.hit(says)
