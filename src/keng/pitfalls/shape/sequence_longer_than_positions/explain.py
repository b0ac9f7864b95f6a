"""Error messages: a sequence is longer than the model has positions for."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.pitfalls.shape._shared_explain import patches_per_side, position_table
from keng.rules import explains

MASKED = re.compile(
    r"masked_fill_?\(\s*~?(?P<table>self\.\w{0,30}(?:mask|tril|bias|causal)\w{0,30})\["
)
"""A mask of which a line takes as much as the sequence is long, so that the whole of it is shorter."""
TABLES = frozenset({77, 512, 514, 1024, 1026, 2048, 4096})
"""How many positions pretrained models of texts have; those of images have other numbers."""
ADDS_POSITIONS = re.compile(r"position_embeddings|position_ids|token_type_ids")
OF_TOKEN_TYPES = re.compile(
    r"Target sizes: \[\d{1,5}, \d{3,6}\]\. {1,2}Tensor sizes: \[1, \d{2,4}\]"
)
"""How a model takes as many token types as there are tokens from what it keeps for its positions."""
TOKENS = ("tokeniz", "input_ids", "tokens", "sentences", "BERT", "Bert")
BERT = re.compile(
    r"(?<!long)(?<!visual)bert(?:for|model|config|tokenizer|-base|-large)", re.IGNORECASE
)
LENGTH = re.compile(
    r"\bmax_?(?:seq(?:uence)?_?)?len(?:gth)?\w{0,3} ?[=:] ?(?P<length>\d{3,5})\b", re.IGNORECASE
)
LOOKED_UP = re.compile(
    r"\b(?P<table>(?:self\.)?\w{0,40}(?:emb|wte|wpe|pos_?enc|positions)\w{0,40})\("
)
OF_POSITIONS = re.compile(r"pos(?:ition)?|wpe")


@explains("longer-than-the-table")
def longer_than_the_table(failure: Failure) -> Hits:
    came, most = failure.groups["came"], failure.groups["most"]
    cure = f"truncation=True, max_length={most}"
    cure = f"ids[:, -{most}:]" if "Cannot forward" in failure.message else cure
    cure = f"max_seq_length={most}" if "Cannot attend" in failure.message else cure
    yield failure.hit(say("sequence-meets-positions-cut-2", cure=came, most=most, cure_2=cure))


@explains("longer-than-what-is-added")
def longer_than_what_is_added(failure: Failure) -> Hits:
    table, came, most = _short_table(failure)
    if table and most < came and patches_per_side(failure, came, most) is None:
        yield failure.hit(
            say("sequence-meets-positions-make", table=came, most=most, table_2=table)
        )


@explains("longer-than-a-pretrained-table")
def longer_than_a_pretrained_table(failure: Failure) -> Hits:
    came, most = (int(failure.groups[name]) for name in ("came", "most"))
    if _of_a_pretrained_table(failure, most) and most < came:
        usable = most - most % 512 or most
        yield failure.hit(
            say("sequence-meets-positions-cut", most=came, most_2=most, usable=usable)
        )


@explains("looked-up-past-the-end")
def looked_up_past_the_end(failure: Failure) -> Hits:
    if table := _positions_looked_up(failure):
        yield failure.hit(say("has-row-each-position", table=table))


@explains("told-by-the-length-that-is-asked")
def told_by_the_length_that_is_asked(failure: Failure) -> Hits:
    if length := _asked_of_bert(f"{failure.message}\n{failure.surrounding}"):
        yield failure.hit(say("texts-up-tokens-asked", most=length))


def _short_table(failure: Failure) -> tuple[str, int, int]:
    """The positions that the failing line adds, or the causal mask that it takes a part of, which is never
    the longer; how long the sequence is, and how many there are."""
    one, other, dim = (int(failure.groups[name]) for name in ("one", "other", "dim"))
    masked = MASKED.search(failure.frames[-1].text) if failure.frames else None
    if masked is not None:
        return masked["table"], max(one, other), min(one, other)
    return position_table(failure) if dim < 2 else "", one, other


def _of_a_pretrained_table(failure: Failure, most: int) -> bool:
    """Whether so many are the positions of a pretrained model of texts, and texts or positions are shown."""
    last = failure.frames[-1].text if failure.frames else ""
    shown = ADDS_POSITIONS.search(last) or any(map(failure.contains, TOKENS))
    return bool(shown or OF_TOKEN_TYPES.search(failure.message)) and most in TABLES


def _positions_looked_up(failure: Failure) -> str:
    """The embedding of positions that the deepest line outside of torch calls, and it alone."""
    outside = [frame.text for frame in failure.frames if "torch/nn/" not in frame.posix]
    found = LOOKED_UP.findall(outside[-1]) if outside and outside[-1] else []
    embedding = failure.in_layer("Embedding") or failure.raised_in.endswith(
        "torch/nn/functional.py"
    )
    return found[0] if embedding and len(found) == 1 and OF_POSITIONS.search(found[0]) else ""


def _asked_of_bert(written: str) -> int:
    """The length that a program asks of a BERT, where it has no positions for it; else 0."""
    lengths = [int(found["length"]) for found in LENGTH.finditer(written)]
    longest = max(lengths, default=0)
    return longest if longest > 512 and BERT.search(written) else 0
