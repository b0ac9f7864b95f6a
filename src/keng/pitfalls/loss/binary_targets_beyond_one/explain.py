"""Error messages: the targets of a binary loss are other numbers than 0 to 1."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

NAMED = re.compile(r"\bBCE(?:WithLogits)?(?:Loss)?\b|\bbinary[ _]cross[-_ ]?entropy", re.IGNORECASE)


ABOVE_ONE = re.compile(
    r"\b(?:dice|iou|jaccard)\b[\w ()]{0,30}[:=] ?(1\.\d{0,20}[1-9]\d{0,20}|2\.0{1,20})(?![\d%])",
    re.IGNORECASE,
)


@explains("loss-below-nothing")
def loss_below_nothing(failure: Failure) -> Hits:
    above, binary = ABOVE_ONE.search(failure.message), NAMED.search(failure.message)
    if above is not None:
        yield failure.hit(say("score-above-one", score=f"{float(above[1]):.4g}"))
    elif binary is not None and "log" not in failure.groups:
        yield failure.hit(say("negative-binary"))
