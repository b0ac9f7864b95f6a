"""Error messages: an `AdaptiveLogSoftmaxWithLoss` gets cutoffs, inputs or targets that do not fit."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("a-class-outside")
def a_class_outside(failure: Failure) -> Hits:
    last, low, high = (int(failure.groups[key]) for key in ("last", "low", "high"))
    yield failure.hit(say("targets-go-from-there", n=low, high=high, value=last + 1))
