"""Error messages: a transform gets arguments of another form than its function has."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("no-tensors")
def no_tensors(failure: Failure) -> Hits:
    groups = failure.groups
    yield failure.hit(
        say(
            "tensor-or-tuple-tensors",
            kind=groups["what"],
            name=groups["name"],
            kind_2=groups["kind"],
        )
    )
