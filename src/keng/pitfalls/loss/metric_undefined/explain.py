"""Error messages: a metric is asked of data on which it has no value."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("one-kind-alone")
def one_kind_alone(failure: Failure) -> Hits:
    kind = failure.groups["kind"]
    other = "negative" if kind == "positive" else "positive"
    yield failure.hit(
        f"what was counted has no {kind} label, all are {other} (for several classes: of one of them): compute once over the whole epoch, not in each batch"
    )


@explains("classes-left-out")
def classes_left_out(failure: Failure) -> Hits:
    average = failure.groups["average"]
    yield failure.hit(
        f"the {average} average is over fewer classes, as some have no value on these data: average=None shows which"
    )


@explains("rows-of-nothing")
def rows_of_nothing(failure: Failure) -> Hits:
    count = failure.groups["count"]
    yield failure.hit(
        f"{count} entries are shares of a class that has no sample (with normalize='true'), or was never predicted ('pred'), and stand as 0"
    )
