"""Error messages: the kernel log reports a failing GPU."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.pitfalls.env.card_reports_failure._shared import OF_THE_CARD
from keng.rules import explains

OF_A_PROGRAM = ("13", "31", "43", "45")


@explains("xid-in-words")
def xid_in_words(failure: Failure) -> Hits:
    card, xid = failure.groups["card"], failure.groups["xid"]
    says = say("xid-unknown", xid=xid, card=card)
    if xid in OF_A_PROGRAM:
        says = say("xid-of-program", xid=xid, card=card)
    elif int(xid) in OF_THE_CARD:
        says = say("xid-of-gpu", xid=xid, card=card, meaning=OF_THE_CARD[int(xid)])
    yield failure.hit(says)
