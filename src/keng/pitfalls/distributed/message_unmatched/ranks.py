"""The ranks of a job: a message has no counterpart on the other rank."""

from __future__ import annotations

from keng.model import Hits, say
from keng.model import Message as Text
from keng.pitfalls.distributed._shared_ranks import call_of
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
                says = say(
                    "message-unmatched",
                    rank=standing.rank,
                    message=_named(message),
                    number=message.number,
                    other=_has_done(message, standing.rank, other, met),
                )
                yield ranks.hit(says, message.collective.where)


def _stays(other: Standing, rank: int) -> bool:
    """Whether it will make no more messages: it has ended, or waits, but not for a third rank's."""
    if other.gone:
        return not other.broke and not other.lost
    return bool(other.waits) or any(each.way.peer == rank for each in other.mail.waits[:1])


def _has_done(message: Message, rank: int, other: Standing, met: int) -> Text:
    tags, then = other.mail.tags(message, rank), _then(other)
    if tags and message.sends:
        return say("has-asked-with-tag", rank=other.rank, count=met, tag=tags[0], then=then)
    if tags:
        return say("has-sent-with-tag", rank=other.rank, count=met, tag=tags[0], then=then)
    if message.sends:
        return say("has-asked", rank=other.rank, count=met, then=then)
    return say("has-sent", rank=other.rank, count=met, then=then)


def _then(other: Standing) -> Text:
    """What became of a rank after its last message."""
    if other.gone:
        return say("and-ended")
    if other.waits:
        collective = other.waits[0].collective
        return say("and-waits", call=call_of(collective, collective.where))
    waits = other.mail.waits[0]
    call, where = _named(waits), waits.collective.where
    placed = say("call-at", call=call, place=place(where)) if where else call
    return say("and-waits", call=placed)


def _named(message: Message) -> Text:
    """A message, with the rank at its other end."""
    call, peer = call_of(message.collective), message.way.peer
    says = say("to-rank", call=call, peer=peer)
    if not message.sends:
        says = say("from-rank", call=call, peer=peer)
        if peer == ANY:
            says = say("from-any-rank", call=call)
    return say("with-tag", message=says, tag=message.way.tag) if message.way.tag else says
