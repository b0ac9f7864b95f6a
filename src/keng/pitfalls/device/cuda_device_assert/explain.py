"""Error messages: a kernel on the GPU has found its input wrong."""

from __future__ import annotations

from keng.explain.advice.checked import check_of_call, waited_for
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("told-in-time")
def told_in_time(failure: Failure) -> Hits:
    if waited_for(failure) and (says := check_of_call(failure)):
        yield failure.hit(f"{says}: on this line, as each kernel was waited for")


@explains("told-late")
def told_late(failure: Failure) -> Hits:
    yield failure.hit(
        "a label outside of 0 to C - 1 or an id beyond num_embeddings, as a rule, in this line or one before it: what `Assertion` "
        "above says, or `keng run --sync-cuda`, tells which"
    )


@explains("check-that-failed")
def check_that_failed(failure: Failure) -> Hits:
    check, file = failure.groups["check"], failure.groups["file"]
    yield failure.hit(
        f"the check `{check}` of {file} failed in a line before this one: run the batch on the CPU"
    )


@explains("told-by-the-next-random-number")
def told_by_the_next_random_number(failure: Failure) -> Hits:
    yield failure.hit(
        "an assert on the card, most often an index outside its range, came before these random numbers: run the batch on the CPU"
    )
