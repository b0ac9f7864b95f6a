"""Error messages: a loss is told by `size_average` or `reduce` how to sum up."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("warned")
def warned(failure: Failure) -> Hits:
    now = failure.groups["now"]
    default = ", which is the default" if now == "mean" else ""
    yield failure.hit(
        f"the loss is meant to have reduction={now!r}{default}; only the words are old"
    )
