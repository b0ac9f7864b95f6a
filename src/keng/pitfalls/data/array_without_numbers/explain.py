"""Error messages: a tensor is to be made of something that is no box of numbers."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

CURES = {
    "object": "{name}.astype('float32') does for numbers of mixed kinds, and else tells of the text, or of "
    "the row of another length, among them",
    "str": "text is to be mapped to numbers first",
    "uint16": "before torch 2.3 {name}.astype('int32')",
    "uint32": "before torch 2.3 {name}.astype('int64')",
    "datetime64": "{name}.astype('int64') counts from 1970, in the array's unit",
}
"""A dtype of NumPy that torch does not take -> what is taken."""
MADE = re.compile(
    r"\b(?:torch\.(?:as_)?tensor|(?:torch\.(?:cuda\.)?)?(?:Float|Long|Int|Double)Tensor)\("
)
ODD = {
    "str": "text is no number: float(...) for digits, an index for each class or word",
    "NoneType": "a value is missing, None stands in its place: leave that sample out, or fill it",
    **dict.fromkeys(
        ("list", "tuple"),
        "a list stands where a number should: rows of different lengths or depths",
    ),
}
"""A kind of thing -> what to do where it stands among numbers."""


@explains("rows-of-different-length")
def rows_of_different_length(failure: Failure) -> Hits:
    one, other = failure.groups["one"], failure.groups["other"]
    yield failure.hit(f"rows of {one} and of {other} values: {_of_rows(failure, other)}")


@explains("something-else-in-a-list")
def something_else_in_a_list(failure: Failure) -> Hits:
    if says := _of_something_else(failure, failure.groups["kind"]):
        yield failure.hit(says)


@explains("array-of-another-kind")
def array_of_another_kind(failure: Failure) -> Hits:
    dtype = failure.groups["dtype"].rstrip("_")
    yield failure.hit(f"the array has dtype={dtype}: {_of_dtype(failure, dtype)}")


@explains("item-of-another-kind")
def item_of_another_kind(failure: Failure) -> Hits:
    kind, rows = failure.groups["kind"], "rows of different lengths or depths"
    cure = rows if kind in ("list", "tuple") else "torch.from_numpy(numpy.array(...))"
    yield failure.hit(say("before-list-hold-python", cure=kind, cure_2=cure))


@explains("sequences-of-different-length")
def sequences_of_different_length(failure: Failure) -> Hits:
    name = failure.groups.get("name")
    if name and name not in ("input_ids", "attention_mask", "token_type_ids"):
        yield failure.hit(say("holds-lists-different-lengths", name=name))
        return
    yield failure.hit(say("sequences-batch-have-different"))


FIRST = {
    "DataFrame": "x.to_numpy()",
    "Series": "x.to_numpy()",
    "Index": "x.to_numpy()",
    "sparse matrix of SciPy": "x.toarray()",
}


@explains("no-rows-to-count")
def no_rows_to_count(failure: Failure) -> Hits:
    kind = failure.groups.get("kind") or "sparse matrix of SciPy"
    if failure.groups.get("kind") or failure.line_uses_torch:
        cure = FIRST.get(kind, "x[:] or np.asarray(x)")
        yield failure.hit(f"a {kind} is no box of numbers that torch can read: {cure} first")


def _of_rows(failure: Failure, other: str) -> str:
    """What to do with rows of other lengths."""
    if other == "0":
        says = (
            "one is empty, or no list at all, as the info that gym's reset() and step() give beside"
        )
        return f"{says}: take the part that is meant"
    if failure.passed_through("transformers/data/data_collator.py"):
        pads = (
            "DataCollatorWithPadding(tokenizer), or DataCollatorForSeq2Seq, which pads labels too"
        )
        return f"this collator pads nothing: {pads}"
    return "pad them to one length, as pad_sequence does"


def _of_something_else(failure: Failure, kind: str) -> str:
    """What to say of what stands among the numbers of a list; nothing where none is made a tensor."""
    last = failure.frames[-1].text if failure.frames else ""
    made = MADE.search(last) is not None and "range(" not in last
    if not made and "too many dimensions" not in failure.message:
        return ""
    kind = kind.rpartition(".")[2].rstrip("_")
    return ODD.get(kind, f"a {kind} stands where a number should")


def _of_dtype(failure: Failure, dtype: str) -> str:
    """What to make of the array that the failing line hands over."""
    named = failure.argument_of("from_numpy|as_tensor|tensor|Tensor")
    cure = CURES.get(dtype, "{name}.astype(...) to a dtype that torch has, as float64")
    return cure.format(name="array" if named == "x" else named)
