"""Error messages: an index points outside the tensor, or is no integer."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from keng.explain.advice.edits import NAMED
from keng.explain.failure import Failure
from keng.explain.inspecting.values import are_readable_labels, first_true
from keng.explain.live import LiveError
from keng.model import Fix, Hits, say
from keng.rules import explains
from keng.run.labels import Labels
from keng.source import Code

INDEXED = {
    **dict.fromkeys(("take", "put", "put_"), ("index", 1)),
    "take_along_dim": ("indices", 1),
    "embedding": ("input", 0),
    "gather": ("index", 2),
}
"""Functions of torch's -> their indices: the name of the argument, and where it stands."""
BY_INDEX = re.compile(r"(?:index|scatter)_\w*|scatter")
"""The others, which take it as gather does."""
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


@explains("outside-the-table")
def outside_the_table(failure: Failure) -> Hits:
    seen, layer = failure.live.ask(_index_range), failure.layer
    if seen is None:
        table = _table_that_lacks_a_row(failure)
        yield failure.hit(f"an index is below 0, or not below the number of rows of {table}")
        return
    rows, need = seen.classes, seen.highest + 1
    says = f"{layer} has {rows} rows, 0 to {rows - 1}; indices run from {seen.lowest} to {need - 1}{seen.first_at}"
    if seen.lowest < 0:
        yield failure.hit(f"{says}: a negative one is no row")
        return
    fix = failure.rebuild_layer("num_embeddings", 0, rows, need)
    yield failure.hit(f"{says}: num_embeddings={need}, or other indices", fix=fix, rows=rows)


@explains("outside-the-dimension")
def outside_the_dimension(failure: Failure) -> Hits:
    index, sizes = int(failure.groups["index"]), failure.groups.get("sizes", "").split(",")
    size = int(failure.groups.get("size") or sizes[int(failure.groups["dim"])])
    whole = failure.layer if failure.in_layer("EmbeddingBag") else "the tensor"
    dim = f"dimension {failure.groups['dim']}" if failure.groups.get("dim") else whole
    places = f"has {size} places, 0 to {size - 1}" if size else "is empty"
    said = _where_from(failure, index, size)
    why = f": {said}" if said else _past_the_end(failure, index, size)
    yield failure.hit(f"index {index} is outside: {dim} {places}{why}", index=index, size=size)


@explains("no-integers")
def no_integers(failure: Failure) -> Hits:
    yield failure.hit(*_index_of_floats(failure))


@explains("told-without-a-number")
def told_without_a_number(failure: Failure) -> Hits:
    yield failure.hit(_outside_of(failure, failure.groups["check"]))


@explains("nodes-that-are-not-there")
def nodes_that_are_not_there(failure: Failure) -> Hits:
    came, valid = failure.groups["came"], failure.groups["valid"]
    yield failure.hit(say("edge-index-names-nodes", valid=came, valid_2=valid))


def _table_that_lacks_a_row(failure: Failure) -> str:
    """What an index is looked up in, and what it may be; by the traceback alone."""
    added = failure.contains("add_tokens(") or failure.contains("add_special_tokens(")
    if added and not failure.contains("resize_token_embeddings"):
        return "the embedding, as tokens were added: model.resize_token_embeddings(len(tokenizer))"
    shown = any(map(failure.contains, ("torch.embedding(", "F.embedding(", "nn.Embedding(")))
    if not (failure.in_layer("Embedding") or shown):
        return _table_of_what(failure)
    if failure.layer_name and failure.in_layer("Embedding"):
        return f"the table of `{failure.layer_name}`: num_embeddings is the largest index plus 1"
    return (
        "an embedding: ids beyond num_embeddings, as of tokens added or of another tokenizer, or more tokens "
        "than positions (truncation=True)"
    )


def _table_of_what(failure: Failure) -> str:
    """What "in self" says it of is mostly an embedding; without a traceback no more is told."""
    text = f"{failure.context}\n{failure.message}"
    if _of_a_graph(failure):
        return f"the tensor: {OF_A_GRAPH}"
    if "index_select(" in text or (failure.frames and not any(map(failure.contains, OF_TOKENS))):
        return "the tensor"
    if NEW_DATA.search(text):
        says = "an embedding, which was made for the ids of other data"
        return f"{says}: num_embeddings for those of all of it, or one id for all that are new"
    says = "the tensor, of an embedding mostly: ids of added tokens or of data that it was not made for"
    return f"{says}, or more tokens than it has positions (truncation=True)"


def _of_a_graph(failure: Failure) -> bool:
    """Whether the indices are those of the nodes at the ends of edges."""
    words = ("edge_index", "/torch_geometric/", "self.node_dim")
    return any(map(failure.contains, words)) or "edge_index" in failure.context


def _where_from(failure: Failure, index: int = 0, size: int = 0) -> str:
    """Where an index outside of a dimension may have come from: nothing where nothing shows it."""
    high, low = divmod(index, INT32S)
    if 0 < high < max(size, 1) and low < size:
        return f"it is {high} * 2**32 + {low}, two numbers of int32 that were read as one; index.long()"
    shown = [f"{frame.function} {frame.text}" for frame in failure.frames[-3:]]
    if (
        not shown or "Assertion" in failure.message
    ):  # no line, or one that a kernel's error has come late to
        shown.append(failure.context)
    if ONE_HOT.search(" ".join(shown)) is not None:
        return BEYOND_CLASSES
    return ""


def _past_the_end(failure: Failure, index: int, size: int) -> str:
    """What an index tells that is the first behind the last place, or one of several that are gathered."""
    line, beyond = failure.line or failure.surrounding, size and index >= size
    if beyond and failure.kind == "RuntimeError" and _in_a_loss(failure):
        return (
            ": a label is not among the classes of the outputs: number labels from 0, without gaps"
        )
    if beyond and _of_a_graph(failure):
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


def _index_of_floats(failure: Failure) -> tuple[str, Fix | None]:
    """Of indices that are no whole numbers: which they are, where the line tells."""
    if "index_select_out" in failure.message:
        return (
            "index_select is given floats: // in place of / where they are computed, or .long()",
            None,
        )
    floats = {o.name: o.dtype for o in failure.live.operands if "float" in o.dtype}
    masks = [o.name for o in failure.live.operands if o.dtype == "bool"]
    found: tuple[str, Fix | None] | None = failure.ask_line(_indexed_with, list(floats))
    if not found and any(failure.in_layer(kind) for kind in ("Embedding", "EmbeddingBag")):
        found = failure.input_name, failure.rewrite_input("{}.long()")
    elif not found and (masked := failure.ask_line(_indexed_with, masks)):
        return f"`{masked[0]}` is a mask, and an index is asked for: `x[mask]` takes one", None
    elif not found and len(floats) == 1:
        found = next(iter(floats)), failure.rewrite(next(iter(floats)), "{}.long()")
    if (not found or found[0] not in floats) and (takes := _function_of_int64(failure)):
        return f"`{takes}` takes an index of int64, and gets another dtype: index.long()", None
    if not found or found[0] not in floats:
        cure = "index with .long()"
        if re.search(r"\b(?:Float|Double)|FloatTensor|DoubleTensor", failure.message):
            cure = "they are floats, as / makes them: // where they are computed, else .long()"
        return f"the indices are no integers of the right dtype: {cure}", None
    name, fix = found
    looked = failure.live.values.get(name)
    says = f"`{name}` is {floats[name]}, and an index is of whole numbers"
    if looked is not None and looked.below_one:
        return f"{says}: all of its values lie below 1, as scores do", None
    return f"{says}: .long(), or int64 where it is made", fix


def _indexed_with(code: Code, line: int, names: Sequence[str]) -> tuple[str, Fix] | None:
    """Which of these alone a line has in an index, as one index alone has, and a fix that makes that
    whole numbers."""
    calls = (_index_of(code, call) for call in code.tree.on_line(line, ast.Call))
    brackets = (n.slice for n in code.tree.on_line(line, ast.Subscript))
    found: list[tuple[set[str], ast.expr]] = []
    for each in (*calls, *brackets):
        for index in each.elts if isinstance(each, ast.Tuple) else [each]:
            inside = list(ast.walk(index)) if index is not None else []
            told = {code.text_of(n) for n in inside if isinstance(n, NAMED)} & {*names}
            if told and index is not None and not any(isinstance(n, ast.Compare) for n in inside):
                found.append((told, index))
    told, index = found[0] if len(found) == 1 else (set(), None)
    if index is None or len(told) != 1:
        return None
    return told.pop(), Fix(say("write-long"), (code.edits.append(index, ".long()"),), "shown")


def _index_of(code: Code, call: ast.Call) -> ast.expr | None:
    """What a call of torch's takes as an index."""
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    keyword, position = INDEXED.get(name, INDEXED["gather"])
    if name not in INDEXED and not BY_INDEX.fullmatch(name):
        return None
    method = not code.names.resolve(call.func).startswith("torch.")
    return code.calls.argument(call, keyword, position - method)


def _function_of_int64(failure: Failure) -> str:
    """Which function takes an index of int64 alone, where the message names it."""
    found = TAKES.search(failure.message)
    return (found["function"] or found["old"]) if found is not None else ""


def _outside_of(failure: Failure, check: str) -> str:
    """Of a message that names no index: what a kernel has checked, or what the CPU said instead."""
    where = "an indexed tensor"
    if "srcIndex" in check:
        where = "an embedding's table or an index_select"
    why = _where_from(failure)
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


def _index_range(error: LiveError) -> Labels | None:
    """The range of the indices that an embedding table was given."""
    for frame in reversed(error.frames):
        code = frame.f_code
        if code.co_name == "embedding" and code.co_filename.endswith("functional.py"):
            given, table = frame.f_locals["input"], frame.f_locals["weight"]
            if not are_readable_labels(given, error.torch):
                return None
            rows = int(table.shape[0])
            first = first_true((given < 0) | (given >= rows))
            return Labels(int(given.min()), int(given.max()), rows, first)
    return None
