"""The ranks of a job: several ranks compute on one card, or fill the memory of another rank's."""

from __future__ import annotations

from keng.model import Hits, say
from keng.ranks.calls import spoken
from keng.ranks.reports import Ranks
from keng.rules import compares

MIB = 1 << 20


@compares
def trained_on_one_card(ranks: Ranks) -> Hits:
    for told in ranks.on_one_card():
        first, who = told[0], spoken(each.rank for each in told)
        says = say("train-on-one-gpu", ranks=who, cards=first.cards)
        devices = ", ".join(dict.fromkeys(each.card.device for each in told if each.card))
        yield ranks.hit(says, first.where, device=devices)


@compares
def memory_of_anothers_card(ranks: Ranks) -> Hits:
    for told, (held, owner) in ranks.on_anothers_card():
        own = told.card.device if told.card else ""
        says = say(
            "memory-of-another-gpu",
            rank=told.rank,
            own=own,
            size=held.size // MIB,
            device=held.device,
            owner=owner,
        )
        yield ranks.hit(says, told.where)
