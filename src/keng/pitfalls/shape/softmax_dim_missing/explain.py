"""Error messages: a softmax is not told along which dimension to go."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("guessed")
def guessed(failure: Failure) -> Hits:
    name = failure.groups["name"]
    says = f"{name} guesses its dimension: 0 for one or three dimensions, else 1"
    yield failure.hit(f"{says}; dim=-1 for scores that come last, dim=1 for (N, C, ...)")
