"""Error messages: a subclass of `torch.Tensor` lacks what a copy or a parameter of it takes."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("detached-as-another-class")
def detached_as_another_class(failure: Failure) -> Hits:
    kind, came = failure.groups["kind"], failure.groups["came"]
    yield failure.hit(say("nn-parameter-keeps-class", came=kind, came_2=came))
