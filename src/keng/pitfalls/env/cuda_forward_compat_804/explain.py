"""Error messages: a compatibility library stands before the driver's own."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("compat-in-front")
def compat_in_front(failure: Failure) -> Hits:
    yield failure.hit(
        "a libcuda of the CUDA compat package is found before the driver's own, and this card does not "
        "support it: update the driver, or take compat off the library path"
    )
