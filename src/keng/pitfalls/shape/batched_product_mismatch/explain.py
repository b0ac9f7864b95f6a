"""Error messages: a batched matrix product gets matrices that do not fit."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, Message, say
from keng.rules import explains


@explains("rows-that-differ")
def rows_that_differ(failure: Failure) -> Hits:
    groups, there = failure.groups, failure.live.operands
    name = there[1].name if len(there) == 2 else ""
    if groups["batch"] != groups["came"]:
        yield failure.hit(_batches_apart(int(groups["batch"]), int(groups["came"])))
    elif len(there) == 2 and str(there[1].shape[-1]) == groups["rows"]:
        columns, rows = groups["rows"], groups["has"]
        yield failure.hit(say("second-is-transposed", columns=columns, rows=rows, name=name))
    else:
        yield failure.hit(_rows_apart(groups["rows"], groups["has"], name))


@explains("without-a-batch")
def without_a_batch(failure: Failure) -> Hits:
    which, there = int(failure.groups["which"]), failure.live.operands
    flat = [each for each in there if len(each.shape) == 2]
    solid = [each for each in there if len(each.shape) == 3]
    if len(flat) == len(solid) == 1:
        fits = which == 2 and flat[0].shape == (solid[0].shape[0], solid[0].shape[2])
        fix = failure.rewrite(flat[0].name, "{}.unsqueeze(2)") if fits else None
        yield failure.hit(say("operand-not-batched", name=flat[0].name, shape=flat[0].shape), fix)
    else:
        yield failure.hit(say("first-not-batched") if which == 1 else say("second-not-batched"))


@explains("sizes-that-differ")
def sizes_that_differ(failure: Failure) -> Hits:
    wants, came = failure.groups["wants"], failure.groups["came"]
    if failure.groups["dim"] == "0":
        yield failure.hit(_batches_apart(int(wants), int(came)))
    else:
        yield failure.hit(_rows_apart(wants, came, ""))


@explains("sizes-of-a-sum")
def sizes_of_a_sum(failure: Failure) -> Hits:
    one, other = failure.groups["one"], failure.groups["other"]
    if "number of batches" in failure.message:
        yield failure.hit(_batches_apart(int(one), int(other)))
    else:
        yield failure.hit(_rows_apart(one, other, ""))


@explains("in-old-words")
def in_old_words(failure: Failure) -> Hits:
    yield failure.hit(say("matrices-batched-product-do"))


def _batches_apart(one: int, other: int) -> Message:
    """What two batches of different sizes say that are multiplied one by one."""
    small, large = sorted((one, other))
    if small == 1:
        return say("batch-of-one", one=one, other=other)
    if small and large % small == 0:
        return say("batch-is-multiple", one=one, other=other, times=large // small)
    return say("batches-differ", one=one, other=other)


def _rows_apart(columns: str, rows: str, name: str) -> Message:
    """What the columns of one matrix say that meet a different number of rows of the second."""
    if name:
        return say("rows-of-named-differ", columns=columns, rows=rows, name=name)
    return say("rows-differ", columns=columns, rows=rows)
