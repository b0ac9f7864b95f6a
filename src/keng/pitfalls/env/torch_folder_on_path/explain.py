"""Error messages: python looks for its own modules in the folder of torch."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("found-in-torch")
def found_in_torch(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(say("torch-s-own-py", name=name))
