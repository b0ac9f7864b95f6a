"""Error messages: torchScript finds two types where a program has one."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("call-does-not-fit")
def call_does_not_fit(failure: Failure) -> Hits:
    wants, name, came = (failure.groups[each] for each in ("wants", "name", "came"))
    if came and "Tensor" in came and "Tensor" not in wants:
        says = say("wants-gets-argument-without", came=name, wants=wants, came_2=came)
    elif came and came.startswith(("Optional[", "NoneType")):
        says = say("what-given-may-none", name=name)
    elif came:
        says = say("function-called-wants-gets", came=name, wants=wants, came_2=came)
    else:
        says = say("function-called-arguments-other")
    yield failure.hit(says)


@explains("two-kinds-of-results")
def two_kinds_of_results(failure: Failure) -> Hits:
    first, then = failure.groups["first"], failure.groups["then"]
    yield failure.hit(say("one-return-gives-another", then=first, then_2=then))


@explains("taken-apart")
def taken_apart(failure: Failure) -> Hits:
    yield failure.hit(say("takes-tuple-apart-x", kind=failure.groups["kind"]))


@explains("default-of-another-type")
def default_of_another_type(failure: Failure) -> Hits:
    kind, name = failure.groups["kind"], failure.groups["name"]
    yield failure.hit(say("declared-has-default-another", kind=name, kind_2=kind))
