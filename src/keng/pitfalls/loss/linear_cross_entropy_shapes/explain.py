"""Error messages: `linear_cross_entropy` gets features, weights and labels that do not fit."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("features-differ")
def features_differ(failure: Failure) -> Hits:
    features, weight = failure.groups["features"], failure.groups["weight"]
    yield failure.hit(say("input-has-features-weight", weight=features, weight_2=weight))


@explains("bias-differs")
def bias_differs(failure: Failure) -> Hits:
    wants, got = failure.groups["wants"], failure.groups["got"]
    yield failure.hit(say("linear-bias-has-shape", wants=got, wants_2=wants))
