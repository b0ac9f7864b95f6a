"""Error messages: the kernel log tells of a card that fails."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.pitfalls.env.card_reports_failure._shared import OF_THE_CARD
from keng.rules import explains

OF_A_PROGRAM = ("13", "31", "43", "45")


@explains("xid-in-words")
def xid_in_words(failure: Failure) -> Hits:
    card, xid = failure.groups["card"], failure.groups["xid"]
    if xid in OF_A_PROGRAM:
        says = "a program's kernel read or wrote where it may not, or was ended; CUDA_LAUNCH_BLOCKING=1 finds its line"
    elif int(xid) in OF_THE_CARD:
        says = f"{OF_THE_CARD[int(xid)]}: reset it, or restart the machine; where it comes again, the card or its power"
    else:
        says = (
            "NVIDIA's list of Xid errors tells whether the card, the driver or a program is meant"
        )
    yield failure.hit(say("xid-card-at", meaning=xid, card=card, says=says))
