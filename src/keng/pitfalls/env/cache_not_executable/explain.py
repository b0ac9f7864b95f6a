"""Error messages: a folder for compiled code is mounted without the right to execute."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("may-not-be-executed")
def may_not_be_executed(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['file']} lies on a file system that is mounted noexec: move the cache"
    )
