"""Error messages: a gradient is stored together with the graph that made it."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("ring-of-gradients")
def ring_of_gradients(failure: Failure) -> Hits:
    yield failure.hit(
        "gradients that keep their graph are stored with their parameters, and neither is freed: torch.autograd.grad(..., create_graph=True), "
        "or zero_grad(set_to_none=True) after their last use"
    )
