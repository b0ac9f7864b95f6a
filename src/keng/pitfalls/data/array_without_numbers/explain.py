"""Error messages: a tensor is to be made of something that is no box of numbers."""

from __future__ import annotations

from keng.explain.advice.rows import of_dtype, of_rows, of_something_else
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("rows-of-different-length")
def rows_of_different_length(failure: Failure) -> Hits:
    one, other = failure.groups["one"], failure.groups["other"]
    yield failure.hit(f"rows of {one} and of {other} values: {of_rows(failure, other)}")


@explains("something-else-in-a-list")
def something_else_in_a_list(failure: Failure) -> Hits:
    if says := of_something_else(failure, failure.groups["kind"]):
        yield failure.hit(says)


@explains("array-of-another-kind")
def array_of_another_kind(failure: Failure) -> Hits:
    dtype = failure.groups["dtype"].rstrip("_")
    yield failure.hit(f"the array has dtype={dtype}: {of_dtype(failure, dtype)}")


@explains("item-of-another-kind")
def item_of_another_kind(failure: Failure) -> Hits:
    kind, rows = failure.groups["kind"], "rows of different lengths or depths"
    cure = rows if kind in ("list", "tuple") else "torch.from_numpy(numpy.array(...))"
    yield failure.hit(
        f"before 0.4 a list is to hold Python's numbers of one kind, and a {kind} stands in it: {cure}"
    )


@explains("sequences-of-different-length")
def sequences_of_different_length(failure: Failure) -> Hits:
    name = failure.groups.get("name")
    if name and name not in ("input_ids", "attention_mask", "token_type_ids"):
        yield failure.hit(
            f"`{name}` holds lists of different lengths or no numbers: pad it, as DataCollatorForSeq2Seq or "
            "DataCollatorForTokenClassification do with labels, or remove the column"
        )
        return
    yield failure.hit(
        "the sequences of a batch have different lengths: padding=True and truncation=True, or a collator that pads; or a column of texts is left: remove_columns="
    )


FIRST = {
    "DataFrame": "x.to_numpy()",
    "Series": "x.to_numpy()",
    "Index": "x.to_numpy()",
    "sparse matrix of SciPy": "x.toarray()",
}


@explains("no-rows-to-count")
def no_rows_to_count(failure: Failure) -> Hits:
    kind = failure.groups.get("kind") or "sparse matrix of SciPy"
    if failure.groups.get("kind") or failure.written_for_torch:
        cure = FIRST.get(kind, "x[:] or np.asarray(x)")
        yield failure.hit(f"a {kind} is no box of numbers that torch can read: {cure} first")
