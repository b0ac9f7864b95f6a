"""Error messages: a tensor is made of an array that may not be written to."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("shared-for-reading")
def shared_for_reading(failure: Failure) -> Hits:
    yield failure.hit(
        f"the tensor shares the memory of a {failure.groups['what']} that may be read alone: .clone() of it is a copy, and where nothing writes in place the warning is of no account"
    )
