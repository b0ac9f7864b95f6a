"""Error messages: the driver's library is of another version than its kernel module."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("halves-differ")
def halves_differ(failure: Failure) -> Hits:
    yield failure.hit(
        "the driver's library and its kernel module are of two versions: restart the machine, or in a "
        "container remove the driver that the image carries"
    )
