"""Error messages: `linear_cross_entropy` gets features, weights and labels that do not fit."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("not-flat")
def not_flat(failure: Failure) -> Hits:
    yield failure.hit(
        f"the features have {failure.groups['count']} dimensions: hidden.flatten(0, 1), and labels.flatten()"
    )


@explains("features-differ")
def features_differ(failure: Failure) -> Hits:
    features, weight = failure.groups["features"], failure.groups["weight"]
    yield failure.hit(
        f"the input has {features} features, and the weight is for {weight}: the layer's weight as it is, (classes, features)"
    )


@explains("bias-differs")
def bias_differs(failure: Failure) -> Hits:
    wants, got = failure.groups["wants"], failure.groups["got"]
    yield failure.hit(f"linear_bias has shape {got}, and the weight has classes for {wants}")
