"""Two tensors that meet element by element: above all tokens, and the positions added to them."""

from __future__ import annotations

import math
import re

from keng.explain.advice.images import channels_beside_means
from keng.explain.advice.sizes import halved_otherwise, normalized_otherwise, weighed_otherwise
from keng.explain.advice.together import done_by_the_line, told_of_two
from keng.explain.failure import Failure

ADDED = re.compile(
    r"\+=? ?(?P<table>(?:self\.)?(?:pe|wpe|positional|pos(?:ition(?:al)?)?s?_?(?:emb|enc)\w{0,20}|"
    r"\w{1,20}_(?:pe|pos_?emb\w{0,10}))\b|"
    r"self\.[\w.]{1,60}(?=\[(?::, ?)?: ?\w{1,40}\.(?:size\([01]\)|shape\[[01]\])))"
)
"""A table of positions that a line adds to something."""

MASKED = re.compile(
    r"masked_fill_?\(\s*~?(?P<table>self\.\w{0,30}(?:mask|tril|bias|causal)\w{0,30})\["
)
"""A mask of which a line takes as much as the sequence is long, so that the whole of it is shorter."""

TURNED = re.compile(r"\* ?(?:self\.)?(?:cos|sin)\b|freqs?\.cos\(\)|freqs_cis\b")
ROTARY = re.compile(r"rotary|rotate_half|rope\b|apply_rope", re.IGNORECASE)


MARKED = re.compile(r"^(?P<code>.{1,200})\n\s{0,80}[~^]{4}", re.MULTILINE)
"""A line that a traceback marks."""


def met(failure: Failure, one: int, other: int, dim: int) -> tuple[str, str]:
    """How two tensors meet, and what to do."""
    there = failure.live.operands
    says, cure = f"{one} and {other} meet in dimension {dim}", halved_otherwise(failure)
    weighed = weighed_otherwise(failure)
    told, todo = "", ""
    if len(there) != 2 and not weighed:
        told, todo = told_of_two(failure, one, other, dim)
    if todo:
        return told, todo
    says = told or says
    if len(there) == 2:
        says = " and ".join(f"`{o.name}` has the shape {o.shape}" for o in there)
        long, short = sorted(there, key=lambda o: -len(o.shape))
        if len(short.shape) == 1 and long.shape[0] == short.shape[0]:
            cure = f"for its rows write {long.name} * {short.name}[:, None]"
    if weighed or (done := done_by_the_line(failure, dim)):
        return says, weighed or done
    known = dim == 0 and normalized_otherwise(failure, str(one), str(other))
    known = known or channels_beside_means(failure, one, other, dim)
    return says, known or beside_positions(failure, one, other, dim) or cure


def short_table(failure: Failure) -> tuple[str, int, int]:
    """The positions that the failing line adds, or the causal mask that it takes a part of, which is never
    the longer; how long the sequence is, and how many there are."""
    one, other, dim = (int(failure.groups[name]) for name in ("one", "other", "dim"))
    masked = MASKED.search(failure.frames[-1].text) if failure.frames else None
    if masked is not None:
        return masked["table"], max(one, other), min(one, other)
    return added_in(failure) if dim < 2 else "", one, other


def added_in(failure: Failure) -> str:
    """The table of positions that the failing line adds; nothing where it adds none."""
    marked = MARKED.search(failure.around) if not failure.frames else None
    line = failure.frames[-1].text if failure.frames else marked["code"] if marked else ""
    found = ADDED.search(line)
    return found["table"] if found is not None else ""


def beside_positions(failure: Failure, one: int, other: int, dim: int) -> str:
    """What tokens and their positions differ in, and what to write; nothing of other tensors."""
    last, table = failure.frames[-1] if failure.frames else None, added_in(failure)
    if last is not None and TURNED.search(last.text) and ROTARY.search(last.function + last.text):
        angles = f"{one} tokens are turned by angles for {other}"
        if dim == 3:
            angles = f"heads of {one} features are turned by angles for {other}"
            return f"{angles}: the rotary embedding is made for another head size"
        return f"{angles}: position_ids, or the table of angles, are of another length"
    if table and dim == 2:
        width = f"nn.Linear({one}, {other})"
        return f"{one} features meet the {other} of `{table}`: to the model's width first, {width}"
    cut = f"{table}[:{one}]" if dim == 0 else f"{table}[:, :{one}]"
    patches = all(math.isqrt(size) ** 2 == size for size in (one, other))
    if not table or one > other or patches:
        return ""
    return f"`{table}` has {other} positions: only the first, {cut}"


TABLES = frozenset({77, 512, 514, 1024, 1026, 2048, 4096})
"""How many positions pretrained models of texts have; those of images have other numbers."""
ADDS_POSITIONS = re.compile(r"position_embeddings|position_ids|token_type_ids")
OF_TOKEN_TYPES = re.compile(
    r"Target sizes: \[\d{1,5}, \d{3,6}\]\. {1,2}Tensor sizes: \[1, \d{2,4}\]"
)
"""How a model takes as many token types as there are tokens from what it keeps for its positions."""
TOKENS = ("tokeniz", "input_ids", "tokens", "sentences", "BERT", "Bert")


def of_a_pretrained_table(failure: Failure, most: int) -> bool:
    """Whether so many are the positions of a pretrained model of texts, and texts or positions are shown."""
    last = failure.frames[-1].text if failure.frames else ""
    shown = ADDS_POSITIONS.search(last) or any(map(failure.shows, TOKENS))
    return bool(shown or OF_TOKEN_TYPES.search(failure.message)) and most in TABLES


BERT = re.compile(
    r"(?<!long)(?<!visual)bert(?:for|model|config|tokenizer|-base|-large)", re.IGNORECASE
)
LENGTH = re.compile(
    r"\bmax_?(?:seq(?:uence)?_?)?len(?:gth)?\w{0,3} ?[=:] ?(?P<length>\d{3,5})\b", re.IGNORECASE
)


def asked_of_bert(written: str) -> int:
    """The length that a program asks of a BERT, where it has no positions for it; else 0."""
    lengths = [int(found["length"]) for found in LENGTH.finditer(written)]
    longest = max(lengths, default=0)
    return longest if longest > 512 and BERT.search(written) else 0


LOOKED_UP = re.compile(
    r"\b(?P<table>(?:self\.)?\w{0,40}(?:emb|wte|wpe|pos_?enc|positions)\w{0,40})\("
)
OF_POSITIONS = re.compile(r"pos(?:ition)?|wpe")


def positions_looked_up(failure: Failure) -> str:
    """The embedding of positions that the deepest line outside of torch calls, and it alone."""
    outside = [frame.text for frame in failure.frames if "torch/nn/" not in frame.posix]
    found = LOOKED_UP.findall(outside[-1]) if outside and outside[-1] else []
    embedding = failure.in_layer("Embedding") or failure.raised_in.endswith(
        "torch/nn/functional.py"
    )
    return found[0] if embedding and len(found) == 1 and OF_POSITIONS.search(found[0]) else ""
