"""Error messages: an exported program is used otherwise than it was exported."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("of-another-torch")
def of_another_torch(failure: Failure) -> Hits:
    own, wanted = failure.groups["own"], failure.groups["wanted"]
    yield failure.hit(say("file-has-version-format", wanted=own, wanted_2=wanted))
