"""Error messages: a tokenizer is given what it cannot turn into tokens, or back into text."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("ids-below-zero")
def ids_below_zero(failure: Failure) -> Hits:
    shown = failure.contains("decode")
    if shown or not failure.frames:
        yield failure.hit(
            say("ids-decode-hold-mark"),
            sure=shown,
        )
