"""Error messages: an element of a tensor is set to what is no number, or is to be deleted."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("no-number")
def no_number(failure: Failure) -> Hits:
    kind = failure.groups["kind"]
    several = kind in ("list", "tuple", "numpy.ndarray", "ndarray")
    cure = "torch.as_tensor(x)" if several else "a number or a tensor"
    yield failure.hit(say("place-tensor-set", cure=kind, cure_2=cure))


@explains("cannot-shrink")
def cannot_shrink(failure: Failure) -> Hits:
    yield failure.hit(say("tensor-does-not-shrink"))


@explains("tensor-for-a-number")
def tensor_for_a_number(failure: Failure) -> Hits:
    kind = failure.groups["kind"]
    yield failure.hit(say("one-place-hold-number", kind=kind))
