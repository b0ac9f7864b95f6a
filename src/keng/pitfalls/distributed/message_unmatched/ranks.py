"""The ranks of a job: a message has no counterpart on the other rank."""

from __future__ import annotations

from keng.model import Hits, Span, say
from keng.ranks.calls import ANY, Message, Standing, place
from keng.ranks.reports import Ranks
from keng.rules import compares


@compares
def never_met(ranks: Ranks) -> Hits:
    standings = {s.rank: s for s in ranks.stall.standings} if ranks.stall else {}
    for standing in standings.values():
        for message in standing.mail.waits[:1]:
            other = standings.get(message.way.peer)
            if other is None or not _stays(other, standing.rank):
                continue
            met = other.mail.met(message, standing.rank)
            if met < message.number and not any(w.peer == ANY for w in other.mail.received):
                does = _has_done(message, standing.rank, other, met)
                says = say(
                    "rank-waits-number-these",
                    rank=standing.rank,
                    message=message,
                    number=message.number,
                    does=does,
                )
                yield ranks.hit(says, message.collective.where)


def _stays(other: Standing, rank: int) -> bool:
    """Whether it will make no more messages: it has ended, or waits, but not for a third rank's."""
    if other.gone:
        return not other.broke and not other.lost
    return bool(other.waits) or any(each.way.peer == rank for each in other.mail.waits[:1])


def _has_done(message: Message, rank: int, other: Standing, met: int) -> str:
    did = f"rank {other.rank} has {'asked for' if message.sends else 'sent'} {met}"
    if tags := other.mail.tags(message, rank):
        did += f" (and some of tag {tags[0]})"
    if other.gone:
        return f"{did} and ended"
    if other.waits:
        where = other.waits[0].collective.where
        return f"{did} and waits in {other.waits[0].collective}{_at(where)}"
    return f"{did} and waits in {other.mail.waits[0]}{_at(other.mail.waits[0].collective.where)}"


def _at(where: Span | None) -> str:
    return f" at {place(where)}" if where else ""
