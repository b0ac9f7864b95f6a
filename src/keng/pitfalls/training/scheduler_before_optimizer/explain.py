"""Error messages: the scheduler steps before the optimizer."""

from __future__ import annotations

from keng.explain.advice.steps import scheduled_early
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("warned-of-the-order")
def warned_of_the_order(failure: Failure) -> Hits:
    yield failure.hit(scheduled_early(failure))
