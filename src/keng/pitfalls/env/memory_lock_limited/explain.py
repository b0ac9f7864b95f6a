"""Error messages: the limit of locked memory is too small for the network cards."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("too-little-to-lock")
def too_little_to_lock(failure: Failure) -> Hits:
    yield failure.hit(say("shell-or-container-may"))
