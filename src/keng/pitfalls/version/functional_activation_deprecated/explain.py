"""Error messages: a warning calls F.sigmoid or F.tanh deprecated."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("warned-of-the-spelling")
def warned_of_the_spelling(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(say("harmless-torch-does-same", name=name))
