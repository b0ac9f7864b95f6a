"""Error messages: an element of a tensor is set to what is no number, or is to be deleted."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("no-number")
def no_number(failure: Failure) -> Hits:
    kind = failure.groups["kind"]
    several = kind in ("list", "tuple", "numpy.ndarray", "ndarray")
    yield failure.hit(
        say("set-to-several", kind=kind) if several else say("set-to-no-number", kind=kind)
    )
