"""Error messages: what is said of the dimensions does not fit the inputs."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("other-names")
def other_names(failure: Failure) -> Hits:
    names, given = (failure.groups[each].replace("'", "`") for each in ("names", "given"))
    says = say("dynamic-shapes-names-forward", names=given, names_2=names)
    yield failure.hit(says)


@explains("other-number")
def other_number(failure: Failure) -> Hits:
    wants, got = failure.groups["wants"], failure.groups["got"]
    yield failure.hit(say("list-dynamic-shapes-wants", got=wants, got_2=got))


@explains("of-no-tensor")
def of_no_tensor(failure: Failure) -> Hits:
    says = say("dynamic-shapes-gives-dimensions", kind=failure.groups["kind"])
    yield failure.hit(says)


@explains("of-another-structure")
def of_another_structure(failure: Failure) -> Hits:
    says = say("dynamic-shapes-not-built", what=failure.groups["what"])
    yield failure.hit(says)


@explains("outside-of-its-range")
def outside_of_its_range(failure: Failure) -> Hits:
    if failure.kind.endswith("ConstraintViolationError"):
        size, allowed = failure.groups["size"], failure.groups["range"]
        says = say("example-has-where-dim", range=size, allowed=allowed)
        yield failure.hit(says)
