"""Error messages: a library knows schedulers by the base class that they had before torch 2."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("asked-for-the-old-base")
def asked_for_the_old_base(failure: Failure) -> Hits:
    yield failure.hit(
        f"a {failure.groups['name']} is asked for the base class _LRScheduler, which schedulers have no longer since torch 2.0: a later "
        "release of the library that asks (Lightning 1.9), or LRScheduler"
    )
