"""Error messages: what `out=` names cannot take the result."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("of-another")
def of_another(failure: Failure) -> Hits:
    what, wants, came = (failure.groups[key] for key in ("what", "wants", "came"))
    yield failure.hit(
        f"the result is of {what} {wants.removeprefix('c10::')} and `out=` of {came.removeprefix('c10::')}: make it alike, or leave it out and copy_ the result"
    )


@explains("chosen-into-another")
def chosen_into_another(failure: Failure) -> Hits:
    yield failure.hit(
        f"what {failure.groups['op']} takes out keeps its dtype, and `out=` is of another: make it alike, or leave it out and copy_ the result"
    )
