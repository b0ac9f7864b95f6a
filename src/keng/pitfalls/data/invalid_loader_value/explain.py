"""Error messages: a loader or sampler is given a number or flag that it cannot use."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

MEANS = {
    "num_workers": "num_workers is how many processes load, 0 for none beside the program",
    "timeout": "timeout is how many seconds a batch is waited for, 0 for ever",
    "prefetch_factor": "prefetch_factor is how many batches a worker holds ready, one batch or more",
}


@explains("below-zero")
def below_zero(failure: Failure) -> Hits:
    yield failure.hit(MEANS[failure.groups["name"]])


@explains("no-whole-number")
def no_whole_number(failure: Failure) -> Hits:
    name, came = failure.groups["name"], failure.groups["came"]
    if came.isdigit() and int(came):
        why = (
            "prints as a number and is none of Python's, but a text, a tensor or NumPy's: int(...)"
        )
    else:
        why = f"is {came}, and counts samples: a whole number above 0, as by // and max(1, ...)"
    yield failure.hit(f"`{name}` {why}")


@explains("no-flag")
def no_flag(failure: Failure) -> Hits:
    name, came = failure.groups["name"], failure.groups["came"]
    yield failure.hit(say("wants-true-or-false", came=name, came_2=came))


@explains("a-table-of-weights")
def a_table_of_weights(failure: Failure) -> Hits:
    yield failure.hit(say("shape-one-weight-each", shape=failure.groups["shape"]))


@explains("no-fraction")
def no_fraction(failure: Failure) -> Hits:
    yield failure.hit(say("part-random-split-no", nth=failure.groups["nth"]))
