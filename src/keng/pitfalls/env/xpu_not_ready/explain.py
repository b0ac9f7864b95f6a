"""Error messages: a PyTorch for Intel's cards finds no library or driver of theirs."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("extension-for-another")
def extension_for_another(failure: Failure) -> Hits:
    wanted, own = failure.groups["wanted"], failure.groups["own"]
    yield failure.hit(say("extension-wants-installed-same", own=wanted, own_2=own))
