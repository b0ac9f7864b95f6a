"""Error messages: a batched matrix product gets matrices that do not fit."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("rows-that-differ")
def rows_that_differ(failure: Failure) -> Hits:
    groups, there = failure.groups, failure.live.operands
    name = there[1].name if len(there) == 2 else "the second"
    if groups["batch"] != groups["came"]:
        yield failure.hit(_batches_apart(int(groups["batch"]), int(groups["came"])))
    elif len(there) == 2 and str(there[1].shape[-1]) == groups["rows"]:
        says = f"{groups['rows']} columns meet {groups['has']} rows of {name}"
        yield failure.hit(say("rows-name-mt-has", rows=says, name=name, rows_2=groups["rows"]))
    else:
        yield failure.hit(_rows_apart(groups["rows"], groups["has"], name))


@explains("without-a-batch")
def without_a_batch(failure: Failure) -> Hits:
    which, there = int(failure.groups["which"]), failure.live.operands
    what = f"the {'first' if which == 1 else 'second'}"
    flat = [each for each in there if len(each.shape) == 2]
    solid = [each for each in there if len(each.shape) == 3]
    fix = None
    if len(flat) == len(solid) == 1:
        what = f"`{flat[0].name}` of shape {flat[0].shape}"
        fits = which == 2 and flat[0].shape == (solid[0].shape[0], solid[0].shape[2])
        fix = failure.rewrite(flat[0].name, "{}.unsqueeze(2)") if fits else None
    yield failure.hit(say("has-no-three-dimensions", what=what), fix)


@explains("sizes-that-differ")
def sizes_that_differ(failure: Failure) -> Hits:
    wants, came = failure.groups["wants"], failure.groups["came"]
    if failure.groups["dim"] == "0":
        yield failure.hit(_batches_apart(int(wants), int(came)))
    else:
        yield failure.hit(_rows_apart(wants, came, "the second"))


@explains("sizes-of-a-sum")
def sizes_of_a_sum(failure: Failure) -> Hits:
    one, other = failure.groups["one"], failure.groups["other"]
    if "number of batches" in failure.message:
        yield failure.hit(_batches_apart(int(one), int(other)))
    else:
        yield failure.hit(_rows_apart(one, other, "the second"))


@explains("in-old-words")
def in_old_words(failure: Failure) -> Hits:
    yield failure.hit(say("matrices-batched-product-do"))


def _batches_apart(one: int, other: int) -> str:
    """What two batches of other sizes say that are multiplied one by one."""
    says, (small, large) = (
        f"batches of {one} and {other} are multiplied one by one",
        sorted((one, other)),
    )
    if small == 1:
        return f"{says}: a @ b stretches a batch of one, bmm does not"
    if small and large % small == 0:
        says = f"{says}: {large // small} times as many"
        return f"{says}: heads, or the two halves of guidance, are in the batch of one alone"
    return f"{says}: make both for the batch that came"


def _rows_apart(columns: str, rows: str, name: str) -> str:
    """What the columns of one matrix say that meet other rows of the second."""
    says = f"{columns} columns meet {rows} rows of {name}"
    return f"{says}: its transpose(1, 2), or features of one size for both"
