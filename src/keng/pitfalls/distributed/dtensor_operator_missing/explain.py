"""Error messages: an operation is not there for distributed tensors."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("no-rule-for-its-parts")
def no_rule_for_its_parts(failure: Failure) -> Hits:
    yield failure.hit(say("distributed-tensors-have-no", op=failure.groups["op"]))


@explains("of-a-shape-not-foreseen")
def of_a_shape_not_foreseen(failure: Failure) -> Hits:
    yield failure.hit(say("shape-what-gives-depends", op=failure.groups["op"]))


# What the reason is stands in front of these words, and often has a sentence of its own.
@explains("refused-as-it-lies")
def refused_as_it_lies(failure: Failure) -> Hits:
    yield failure.hit(say("distributed-tensors-refuse-they", op=failure.groups["op"]))


@explains("of-two-meshes")
def of_two_meshes(failure: Failure) -> Hits:
    yield failure.hit(say("distributed-tensors-two-meshes"))
