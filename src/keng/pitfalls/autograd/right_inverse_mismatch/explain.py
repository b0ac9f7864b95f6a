"""Error messages: what a parametrization's `right_inverse` gives back does not fit."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("gives-no-tensor")
def gives_no_tensor(failure: Failure) -> Hits:
    yield failure.hit(say("right-inverse-gives-tensor", came=failure.groups["came"]))


@explains("gives-another-number")
def gives_another_number(failure: Failure) -> Hits:
    wants, came = failure.groups["wants"], failure.groups["came"]
    yield failure.hit(say("right-inverse-gives-tensors", wants=came, wants_2=wants))


@explains("of-another-kind")
def of_another_kind(failure: Failure) -> Hits:
    what, wants, came = (failure.groups[key] for key in ("what", "wants", "came"))
    yield failure.hit(say("what-assigned-or-comes", wants=what, came=came, wants_2=wants))


@explains("without-an-inverse")
def without_an_inverse(failure: Failure) -> Hits:
    yield failure.hit(say("orthogonal-weight-assigned-only"))
