"""Error messages: a text holds another number of image placeholders than its pictures give."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, Message, say
from keng.rules import explains

FEW = 16
"""Pictures in a text, and tokens next to those of the patches, at most."""


@explains("places-for-features")
def places_for_features(failure: Failure) -> Hits:
    tokens, features = int(failure.groups["tokens"]), failure.groups.get("features")
    if features:
        advice = _on_features(tokens, int(features) - tokens)
        yield failure.hit(
            say("tokens-and-features", tokens=tokens, features=features, advice=advice)
        )
    elif tokens:
        yield failure.hit(say("tokens-and-images", tokens=tokens))
    else:
        yield failure.hit(say("no-token-for-images"))


def _on_features(tokens: int, apart: int) -> Message:
    """What to do where a text has so many fewer placeholders than there are features."""
    if not tokens:
        return say("add-placeholder")
    if apart > FEW and tokens <= FEW:
        return say("placeholder-not-repeated")
    if 0 < abs(apart) <= FEW:
        return say("counted-differently")
    return say("text-was-cut")
