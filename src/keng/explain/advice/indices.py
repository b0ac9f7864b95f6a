"""What is told of an index that a tensor does not take: where it came from, and what takes which dtype."""

from __future__ import annotations

import re

from keng.explain.failure import Failure

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


OF_TOKENS = ("bert", "token", "input_ids", "embed", "vocab", "gpt")
OF_A_GRAPH = (
    "edge_index names nodes that x does not have, as after some were taken out, or of another graph"
)
NEW_DATA = re.compile(
    r"\b(?:new|other|unseen|my own) data|\btest(?:ing)? (?:data|set)|\bunseen\b|新(?:的|一批)?数据|"
    r"测试(?:集|数据)",
    re.IGNORECASE,
)
PICKED = re.compile(
    r"(?:\.|\btorch\.)(?:gather|scatter(?:_add|_reduce)?_?|index_select|take_along_dim)\("
)
IN_A_LOSS = re.compile(r"loss|dice|focal|criteri|one_?hot", re.IGNORECASE)
"""Where labels are scattered into a column for each class."""
LAST = "as a rule another dimension was meant: channels stand first, rows and columns last, x[..., i, j]"
DIMENSIONS = {
    1: "a dimension of 1 stands first, as of a batch of one: x.squeeze(0), or x[:, i]",
    3: LAST,
    4: LAST,
}
"""Small sizes of a first dimension, in which an index far beyond them was not meant to count."""


def table_that_lacks_a_row(failure: Failure) -> str:
    """What an index is looked up in, and what it may be; by the traceback alone."""
    added = failure.shows("add_tokens(") or failure.shows("add_special_tokens(")
    if added and not failure.shows("resize_token_embeddings"):
        return "the embedding, as tokens were added: model.resize_token_embeddings(len(tokenizer))"
    shown = any(map(failure.shows, ("torch.embedding(", "F.embedding(", "nn.Embedding(")))
    if not (failure.in_layer("Embedding") or shown):
        return table_of_what(failure)
    if failure.called and failure.in_layer("Embedding"):
        return f"the table of `{failure.called}`: num_embeddings is the largest index plus 1"
    return (
        "an embedding: ids beyond num_embeddings, as of tokens added or of another tokenizer, or more tokens "
        "than positions (truncation=True)"
    )


def of_a_graph(failure: Failure) -> bool:
    """Whether the indices are those of the nodes at the ends of edges."""
    words = ("edge_index", "/torch_geometric/", "self.node_dim")
    return any(map(failure.shows, words)) or "edge_index" in failure.told


def table_of_what(failure: Failure) -> str:
    """What "in self" says it of is mostly an embedding; without a traceback no more is told."""
    text = f"{failure.told}\n{failure.message}"
    if of_a_graph(failure):
        return f"the tensor: {OF_A_GRAPH}"
    if "index_select(" in text or (failure.frames and not any(map(failure.shows, OF_TOKENS))):
        return "the tensor"
    if NEW_DATA.search(text):
        says = "an embedding, which was made for the ids of other data"
        return f"{says}: num_embeddings for those of all of it, or one id for all that are new"
    says = "the tensor, of an embedding mostly: ids of added tokens or of data that it was not made for"
    return f"{says}, or more tokens than it has positions (truncation=True)"


def past_the_end(failure: Failure, index: int, size: int) -> str:
    """What an index tells that is the first behind the last place, or one of several that are gathered."""
    line, beyond = failure.line or failure.around, size and index >= size
    if beyond and failure.kind == "RuntimeError" and _in_a_loss(failure):
        return (
            ": a label is not among the classes of the outputs: number labels from 0, without gaps"
        )
    if beyond and of_a_graph(failure):
        return f": {OF_A_GRAPH}"
    if beyond and size in DIMENSIONS and index >= 8 and failure.groups.get("dim") == "0":
        return f": {DIMENSIONS[size]}"
    if not size:
        return ": nothing is in it, as of an empty file, list or filter before"
    if beyond and PICKED.search(line):
        return ": it is made for fewer classes or tokens than the indices have, counted from 0"
    if index == size and size:
        return (
            f": counting begins at 0; else the slice `:{size}` was meant, or it was made too small"
        )
    return ""


def _in_a_loss(failure: Failure) -> bool:
    """Whether it came up where a loss makes one column for each class."""
    shown = (f"{frame.posix} {frame.function} {frame.text}" for frame in failure.frames)
    return any(IN_A_LOSS.search(each) for each in shown)
