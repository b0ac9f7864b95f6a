"""Error messages: a sequence is longer than the model has positions for."""

from __future__ import annotations

from keng.explain.advice.images import patches
from keng.explain.advice.positions import (
    asked_of_bert,
    of_a_pretrained_table,
    positions_looked_up,
    short_table,
)
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("longer-than-the-table")
def longer_than_the_table(failure: Failure) -> Hits:
    came, most = failure.groups["came"], failure.groups["most"]
    cure = f"truncation=True, max_length={most}"
    cure = f"ids[:, -{most}:]" if "Cannot forward" in failure.message else cure
    cure = f"max_seq_length={most}" if "Cannot attend" in failure.message else cure
    yield failure.hit(
        f"a sequence of {came} meets {most} positions: cut it, {cure}, or into pieces"
    )


@explains("longer-than-what-is-added")
def longer_than_what_is_added(failure: Failure) -> Hits:
    table, came, most = short_table(failure)
    if table and most < came and patches(failure, came, most) is None:
        yield failure.hit(
            f"a sequence of {came} meets the {most} positions of `{table}`: make that longer, or cut it"
        )


@explains("longer-than-a-pretrained-table")
def longer_than_a_pretrained_table(failure: Failure) -> Hits:
    came, most = (int(failure.groups[name]) for name in ("came", "most"))
    if of_a_pretrained_table(failure, most) and most < came:
        usable = most - most % 512 or most
        yield failure.hit(
            f"a sequence of {came} meets {most} positions: cut it, truncation=True, max_length={usable}, or into pieces"
        )


@explains("looked-up-past-the-end")
def looked_up_past_the_end(failure: Failure) -> Hits:
    if table := positions_looked_up(failure):
        yield failure.hit(
            f"`{table}` has a row for each position, and the sequence has more of them: cut it, or make that for more"
        )


@explains("told-by-the-length-that-is-asked")
def told_by_the_length_that_is_asked(failure: Failure) -> Hits:
    if length := asked_of_bert(f"{failure.message}\n{failure.around}"):
        yield failure.hit(
            f"texts of up to {length} tokens are asked for, and BERT has 512 positions: max_length=512, truncation=True"
        )


@explains("generated-past-the-end")
def generated_past_the_end(failure: Failure) -> Hits:
    yield failure.hit(
        f"prompt and answer together pass the {failure.groups['most']} positions that the model was trained for: a shorter prompt or max_new_tokens"
    )
