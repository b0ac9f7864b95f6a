"""Source code: a mask comes after the softmax, with a number that is meant for scores."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import finds
from keng.source import Code


@finds
def weights_hidden_as_scores(code: Code) -> Hits:
    for call, given in code.masked_weights():
        says = f"`{code.text_of(given)}` are weights, not scores: mask them before the softmax"
        yield code.hit(call, says)
