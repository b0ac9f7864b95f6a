"""Error messages: what `out=` names cannot take the result."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("of-another")
def of_another(failure: Failure) -> Hits:
    what, wants, came = (failure.groups[key] for key in ("what", "wants", "came"))
    yield failure.hit(
        say(
            "result-make-alike-or",
            came=what,
            removeprefix=wants.removeprefix("c10::"),
            removeprefix_2=came.removeprefix("c10::"),
        )
    )
