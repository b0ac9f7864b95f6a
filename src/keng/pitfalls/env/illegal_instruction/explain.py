"""Error messages: the processor lacks an instruction that a library was compiled with."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

BOARD = re.compile(r"\b[Rr]asp(?:berry|i)|\bRPi ?\d|\bCortex-A\d\d|\b(?:Orange|Banana|Rock) ?Pi\b")


@explains("ended-by-the-system")
def ended_by_the_system(failure: Failure) -> Hits:
    if BOARD.search(f"{failure.message} {failure.context}"):
        yield failure.hit(say("library-was-compiled-newer"))
        return
    yield failure.hit(
        say("processor-does-not-know"),
        sure=False,
    )
