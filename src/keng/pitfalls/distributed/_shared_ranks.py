"""Helpers that ranks.py of several pitfalls of this group share. Each pitfall that uses them has the texts."""

from __future__ import annotations

from collections.abc import Sequence

from keng.model import Message, Span, say
from keng.ranks.calls import Collective, Side, place, spoken


def sides_of(sides: Sequence[Side]) -> Message:
    """What each of these sides of a parting does: "rank 0 in barrier at train.py:8, rank 1 ended"."""
    first, *rest = sides
    return say("sides", first=_side_of(first), rest=sides_of(rest)) if rest else _side_of(first)


def call_of(collective: Collective | None, where: Span | None = None) -> Message | str:
    """A collective with its shapes and dtype, and the place of the call."""
    if collective is None:
        return ""
    shapes = ", ".join(str(list(shape)) for shape in collective.shapes)
    call: Message | str = collective.op
    if shapes:
        call = say("collective-of", op=call, shapes=f"{shapes} {collective.dtype}".rstrip())
    return say("call-at", call=call, place=place(where)) if where else call


def _side_of(side: Side) -> Message:
    ranks, collective = spoken(side.ranks), side.collective
    if collective is None and side.gone:
        return say("side-gone", ranks=ranks, gone=side.gone)
    if collective or side.waits:
        return say("side-in-call", ranks=ranks, call=call_of(collective or side.waits, side.where))
    if side.where:
        return say("side-elsewhere-at", ranks=ranks, place=place(side.where))
    return say("side-elsewhere", ranks=ranks)
