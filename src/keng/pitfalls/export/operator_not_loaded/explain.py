"""Error messages: an operator of a library is used before the library is loaded."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("no-kernel-for-the-device")
def no_kernel_for_the_device(failure: Failure) -> Hits:
    op, backend = failure.groups["op"], failure.groups["backend"]
    yield failure.hit(say("has-no-kernel-library", backend=op, backend_2=backend))
