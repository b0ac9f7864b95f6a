"""Error messages: whole numbers come where only floating-point numbers can be."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

PACKED = re.compile(
    r"\b(?:8|4)-?bits?\b|load_in_[48]bit|bitsandbytes|\bInt8Params\b|quantiz", re.IGNORECASE
)


@explains("mean-of-whole-numbers")
def mean_of_whole_numbers(failure: Failure) -> Hits:
    there, groups = failure.live.operands, failure.groups
    name = there[0].name if len(there) == 1 else "x"
    yield failure.hit(
        say("numbers-float", name=groups["what"], lower=groups["came"].lower(), name_2=name)
    )


@explains("gradient-of-whole-numbers")
def gradient_of_whole_numbers(failure: Failure) -> Hits:
    says = say("whole-numbers-have-no")
    if any(
        map(PACKED.search, (failure.context, failure.message, failure.line, failure.surrounding))
    ):
        says = say("packed-weights-or-bits")
    yield failure.hit(says)
