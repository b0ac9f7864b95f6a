"""Error messages: torchScript finds two types where a program has one."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("call-does-not-fit")
def call_does_not_fit(failure: Failure) -> Hits:
    wants, name, came = (failure.groups[each] for each in ("wants", "name", "came"))
    if came and "Tensor" in came and "Tensor" not in wants:
        says = f"`{name}` wants {wants} and gets {came}, as an argument without a type is a Tensor: `times: int`, or int(x)"
    elif came and came.startswith(("Optional[", "NoneType")):
        says = f"what is given for `{name}` may be None: `assert x is not None`, or an `if` around it, before its use"
    elif came:
        says = f"`{name}` of a function that is called wants {wants}, and gets {came}: convert it, or annotate where it comes from"
    else:
        says = "a function is called with arguments of other types than it has: annotate them"
    yield failure.hit(says)


@explains("two-kinds-of-results")
def two_kinds_of_results(failure: Failure) -> Hits:
    first, then = failure.groups["first"], failure.groups["then"]
    yield failure.hit(
        f"one return gives {first} and another {then}: the same type on all ways, or -> Optional[...] and None"
    )


@explains("taken-apart")
def taken_apart(failure: Failure) -> Hits:
    yield failure.hit(
        f"`a, b = x` takes a tuple apart, and x is a {failure.groups['kind']}: x.unbind(0), or x[0] and x[1]"
    )


@explains("default-of-another-type")
def default_of_another_type(failure: Failure) -> Hits:
    kind, name = failure.groups["kind"], failure.groups["name"]
    yield failure.hit(
        f"`{name}` is declared {kind} and has a default of another type: `{name}: Optional[{kind}] = None`, or a default that is one"
    )
