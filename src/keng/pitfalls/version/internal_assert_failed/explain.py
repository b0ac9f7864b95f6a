"""Error messages: a check inside of PyTorch has failed."""

from __future__ import annotations

from keng.explain.advice.programs import behind_a_check
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("a-check-of-its-own")
def a_check_of_its_own(failure: Failure) -> Hits:
    check, file, says = (failure.groups[key] for key in ("check", "file", "says"))
    told = f" ({says.rstrip('. ')})" if says else ""
    yield failure.hit(
        f"the check `{check}` inside PyTorch ({file}) failed{told}: {behind_a_check(failure.message)}"
    )


@explains("a-check-of-old")
def a_check_of_old(failure: Failure) -> Hits:
    check, file = failure.groups["check"], failure.groups["file"]
    yield failure.hit(
        f"the check `{check}` inside PyTorch ({file}) failed: its fault or an extension's; try another version, and the CPU"
    )


@explains("past-a-vector")
def past_a_vector(failure: Failure) -> Hits:
    yield failure.hit(
        f"C++ inside PyTorch asks a vector of {failure.groups['size']} for an entry that it has not, unchecked: mostly a dimension or an index that "
        "the operation cannot have; see its arguments, then another version"
    )


@explains("a-check-of-what-it-gets")
def a_check_of_what_it_gets(failure: Failure) -> Hits:
    yield failure.hit(
        f"a condition of the operation does not hold, `{failure.groups['condition']}`: see the shapes and dtypes of what it gets"
    )
