"""Error messages: gradients are cleared while Horovod still averages them."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("cleared-on-the-way")
def cleared_on_the_way(failure: Failure) -> Hits:
    says = "the gradients are still being averaged: step, or synchronize(), before zero_grad()"
    yield failure.hit(says)
