"""Error messages: positions are counted along the batch, and not along the sequence."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

CUT = re.compile(
    r"\+=? ?(?P<table>self\.\w{0,30}(?:pos|pe)\w{0,30})\[(?:0 ?)?: ?(?!seq|t\b|n\b|len)\w+(?:\.size\(0\)|\.shape\[0\])?\]"
)


STEPS_IN_FRONT = re.compile(
    r"\+=? ?(?P<table>self\.\w{0,30}(?:pos|pe)\w{0,30})\[(?:0 ?)?: ?\w+\.(?:size\(1\)|shape\[1\])\]"
)


POSITIONAL = re.compile(r"[Pp]osition|\bpos_(?:enc|emb)|\bpe\b")


@explains("batch-beyond-the-table")
def batch_beyond_the_table(failure: Failure) -> Hits:
    came, rows = int(failure.groups["came"]), int(failure.groups["rows"])
    written = f"{failure.line}\n{failure.message}\n{failure.surrounding}"
    cut = CUT.search(written)
    if cut is not None and rows < came:
        yield failure.hit(
            say("has-positions-cut-first", came=cut["table"], rows=rows, came_2=came),
            sure="batch" in f"{written}{failure.context}",
        )


@explains("steps-in-front")
def steps_in_front(failure: Failure) -> Hits:
    sizes = f"{failure.groups['a']} {failure.groups['b']}".lower()
    cut = STEPS_IN_FRONT.search(f"{failure.line}\n{failure.surrounding}")
    told = f"{failure.line}\n{failure.context}"
    named = "batch" in sizes and ("seq" in sizes or "len" in sizes)
    if cut is not None:
        yield failure.hit(say("has-steps-first-dimension", table=cut["table"]))
    elif POSITIONAL.search(told) and (named or "batch_first=True" in told):
        yield failure.hit(
            say("table-positions-has-steps"),
            sure=named,
        )
