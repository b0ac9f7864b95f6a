"""Error messages: a reversed NumPy array is given to torch."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("negative-stride")
def negative_stride(failure: Failure) -> Hits:
    says = "the array is a reversed view, as [::-1], np.flip and np.rot90 give: .copy() it first"
    yield failure.hit(says, failure.mended("array_copied"))
