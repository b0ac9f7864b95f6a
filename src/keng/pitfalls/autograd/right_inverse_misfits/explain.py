"""Error messages: what a parametrization's `right_inverse` gives back does not fit."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("gives-no-tensor")
def gives_no_tensor(failure: Failure) -> Hits:
    yield failure.hit(
        f"right_inverse gives a {failure.groups['came']}: a tensor, or a tuple of one for each argument of forward"
    )


@explains("gives-another-number")
def gives_another_number(failure: Failure) -> Hits:
    wants, came = failure.groups["wants"], failure.groups["came"]
    yield failure.hit(f"right_inverse gives {came} tensors, and it gave {wants} tensors at first")


@explains("of-another-kind")
def of_another_kind(failure: Failure) -> Hits:
    what, wants, came = (failure.groups[key] for key in ("what", "wants", "came"))
    yield failure.hit(
        f"the {what} of what is assigned or comes from right_inverse is {came}, and the original has {wants}"
    )


@explains("without-an-inverse")
def without_an_inverse(failure: Failure) -> Hits:
    yield failure.hit(
        "this orthogonal weight is assigned to only with use_trivialization=True, or orthogonal_map='householder'"
    )
