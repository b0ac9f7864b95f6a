"""Error messages: dimensions are named twice, or in an order that cannot be."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("named-twice")
def named_twice(failure: Failure) -> Hits:
    dim = failure.groups.get("dim")
    which = f"dimension {dim}" if dim else "a dimension"
    yield failure.hit(say("named-twice-negative-number", which=which))


@explains("backwards")
def backwards(failure: Failure) -> Hits:
    yield failure.hit(say("start-dim-lies-after"))


@explains("not-as-many")
def not_as_many(failure: Failure) -> Hits:
    yield failure.hit(say("two-lists-go-together"))
