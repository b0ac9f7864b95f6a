"""What is told of an index that a tensor does not take: where it came from, and what takes which dtype."""

from __future__ import annotations

import re

from keng.failures import Failure

ONE_HOT = re.compile(r"one_?-?hot", re.IGNORECASE)
TAKES = re.compile(
    r"(?P<function>[a-z]\w{1,40}?)(?:_out_\w{3,4})?\(\): Expected dtype int64 for index|"
    r"'index' in call to (?:_th|s__th)_(?P<old>[a-z]\w{1,40})"
)
INT32S = 2**32
BEYOND_CLASSES = (
    "a label beyond the classes of the one-hot tensor; see labels.unique(), and leave out what is to be "
    "ignored, as 255 or -1"
)


def where_from(failure: Failure, index: int = 0, size: int = 0) -> str:
    """Where an index outside of a dimension may have come from: nothing where nothing shows it."""
    high, low = divmod(index, INT32S)
    if 0 < high < max(size, 1) and low < size:
        return f"it is {high} * 2**32 + {low}, two numbers of int32 that were read as one; index.long()"
    shown = [f"{frame.function} {frame.text}" for frame in failure.frames[-3:]]
    if (
        not shown or "Assertion" in failure.message
    ):  # no line, or one that a kernel's error has come late to
        shown.append(failure.told)
    if ONE_HOT.search(" ".join(shown)) is not None:
        return BEYOND_CLASSES
    return ""


def outside_of(failure: Failure, check: str) -> str:
    """Of a message that names no index: what a kernel has checked, or what the CPU said instead."""
    where = "an indexed tensor"
    if "srcIndex" in check:
        where = "an embedding's table or an index_select"
    why = where_from(failure)
    if check.startswith("Invalid index"):
        why = why or "print the least and the greatest index, and the sizes"
        return f"an index lies outside {where}: {why}"
    mostly = (
        "ids beyond num_embeddings or more tokens than positions"
        if "srcIndex" in check
        else "mostly a label or an id beyond the classes"
    )
    why = why or f"{mostly}; the batch on the CPU shows which"
    return f"an index lies outside {where}, in a line before the one that is shown: {why}"


def function_of_int64(failure: Failure) -> str:
    """Which function takes an index of int64 alone, where the message names it."""
    found = TAKES.search(failure.message)
    return (found["function"] or found["old"]) if found is not None else ""
