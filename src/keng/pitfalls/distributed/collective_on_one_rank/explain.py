"""Error messages: a collective is called on some ranks only."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, Message, say
from keng.rules import explains


@explains("stood-still")
def stood_still(failure: Failure) -> Hits:
    says = _waited_in_vain(failure.groups["op"], failure.groups["nth"])
    yield failure.hit(says, sure=False)


@explains("never-answered")
def never_answered(failure: Failure) -> Hits:
    yield failure.hit(say("no-answer", seconds=int(failure.groups["ms"]) // 1000), sure=False)


@explains("nothing-moves")
def nothing_moves(failure: Failure) -> Hits:
    rank, seconds = failure.groups.get("rank"), failure.groups.get("seconds")
    advice = say("rank-waits-or-hangs")
    says = say("no-progress-for-long", advice=advice)
    if rank:
        says = say("rank-timed-out-first", rank=rank, advice=advice)
    elif seconds:
        says = say("no-progress", seconds=seconds, advice=advice)
    yield failure.hit(says)


def _waited_in_vain(op: str, number: str) -> Message:
    """About a collective that timed out, by its number where the message has it."""
    if number in ("0", "1"):
        return say("first-collective-timed-out", op=op)
    return say("ranks-missing-from-collective", op=op)
