"""Error messages: torchScript cannot read the type that an annotation names."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("container-of-what")
def container_of_what(failure: Failure) -> Hits:
    name = failure.groups["name"]
    holds = {"Dict": "str, Tensor", "Tuple": "Tensor, int"}.get(name, "Tensor")
    yield failure.hit(say("does-not-say-what", holds=name, holds_2=holds))


@explains("no-type-of-its")
def no_type_of_its(failure: Failure) -> Hits:
    yield failure.hit(say("no-type-torchscript-another", name=failure.groups["name"]))


@explains("comment-of-another-form")
def comment_of_another_form(failure: Failure) -> Hits:
    yield failure.hit(say("comment-types-one-line"))
