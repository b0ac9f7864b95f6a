"""Lists and arrays that no tensor can be made of: what to do, by what is in them."""

from __future__ import annotations

import re

from keng.explain.failure import Failure

CURES = {
    "object": "{name}.astype('float32') does for numbers of mixed kinds, and else tells of the text, or of "
    "the row of another length, among them",
    "str": "text is to be mapped to numbers first",
    "uint16": "before torch 2.3 {name}.astype('int32')",
    "uint32": "before torch 2.3 {name}.astype('int64')",
    "datetime64": "{name}.astype('int64') counts from 1970, in the array's unit",
}
"""A dtype of NumPy that torch does not take -> what is taken."""


def of_dtype(failure: Failure, dtype: str) -> str:
    """What to make of the array that the failing line hands over."""
    named = failure.handed_to("from_numpy|as_tensor|tensor|Tensor")
    cure = CURES.get(dtype, "{name}.astype(...) to a dtype that torch has, as float64")
    return cure.format(name="array" if named == "x" else named)


def of_rows(failure: Failure, other: str) -> str:
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


def of_something_else(failure: Failure, kind: str) -> str:
    """What to say of what stands among the numbers of a list; nothing where none is made a tensor."""
    last = failure.frames[-1].text if failure.frames else ""
    made = MADE.search(last) is not None and "range(" not in last
    if not made and "too many dimensions" not in failure.message:
        return ""
    kind = kind.rpartition(".")[2].rstrip("_")
    return ODD.get(kind, f"a {kind} stands where a number should")
