"""Error messages: the modules run in another order than ZeRO-3 has written down."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("asked-for-another")
def asked_for_another(failure: Failure) -> Hits:
    yield failure.hit(say("at-step-module-runs", step=failure.groups["step"]))


@explains("learned-again")
def learned_again(failure: Failure) -> Hits:
    came = failure.groups["came"]
    which = (
        f"module {came} came where another had run" if came else "more modules came than had run"
    )
    yield failure.hit(
        f"{which}, and ZeRO-3 learns their order again: right and slower, as between training and evaluation; in every step it is a branch on the data"
    )
