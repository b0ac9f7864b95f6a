"""Error messages: dimensions are named twice, or in an order that cannot be."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("named-twice")
def named_twice(failure: Failure) -> Hits:
    dim = failure.groups.get("dim")
    which = f"dimension {dim}" if dim else "a dimension"
    yield failure.hit(f"{which} is named twice; a negative number may be the same one")


@explains("backwards")
def backwards(failure: Failure) -> Hits:
    yield failure.hit("start_dim lies after end_dim: the first dimension to join, then the last")


@explains("not-as-many")
def not_as_many(failure: Failure) -> Hits:
    yield failure.hit("the two lists go together one by one: give as many of one as of the other")
