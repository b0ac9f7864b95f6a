"""Error messages: torchScript meets a value of Python that it cannot take along."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("of-python")
def of_python(failure: Failure) -> Hits:
    yield failure.hit(say("value-type-from-outside", kind=failure.groups["kind"]))


@explains("not-defined")
def not_defined(failure: Failure) -> Hits:
    name = failure.groups["name"]
    if re.search(rf"\b{name} = ", failure.message):
        yield failure.hit(say("has-value-on-some", name=name))
        return
    yield failure.hit(say("not-known-where-function", name=name))


@explains("without-source")
def without_source(failure: Failure) -> Hits:
    yield failure.hit(say("function-has-no-source"))


@explains("attribute-without-type")
def attribute_without_type(failure: Failure) -> Hits:
    name, kind = failure.groups["name"], failure.groups["kind"]
    yield failure.hit(say("not-kept-compiler-annotate", kind=name, kind_2=kind))


@explains("neither-module-nor-function")
def neither_module_nor_function(failure: Failure) -> Hits:
    yield failure.hit(say("object-plain-class-neither"))
