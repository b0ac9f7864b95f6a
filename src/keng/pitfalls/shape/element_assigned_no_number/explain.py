"""Error messages: an element of a tensor is set to what is no number, or is to be deleted."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("no-number")
def no_number(failure: Failure) -> Hits:
    kind = failure.groups["kind"]
    several = kind in ("list", "tuple", "numpy.ndarray", "ndarray")
    cure = "torch.as_tensor(x)" if several else "a number or a tensor"
    yield failure.hit(f"a place in a tensor is set to {kind}: {cure}")


@explains("cannot-shrink")
def cannot_shrink(failure: Failure) -> Hits:
    yield failure.hit("a tensor does not shrink in place: x = x[keep], or a list while it changes")


@explains("tensor-for-a-number")
def tensor_for_a_number(failure: Failure) -> Hits:
    kind = failure.groups["kind"]
    yield failure.hit(
        f"one place is to hold a number, and gets {kind}: before 0.4 a tensor of one value is none, `y[0]`"
    )
