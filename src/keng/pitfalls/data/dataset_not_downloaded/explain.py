"""Error messages: a dataset of torchvision is not in its folder, or not whole."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("not-there")
def not_there(failure: Failure) -> Hits:
    yield failure.hit(say("files-not-below-root"))


@explains("not-whole")
def not_whole(failure: Failure) -> Hits:
    yield failure.hit(say("files-not-there-or"))


@explains("not-fetched")
def not_fetched(failure: Failure) -> Hits:
    yield failure.hit(say("no-mirror-gave-fetch", file=failure.groups["file"]))


@explains("not-fetched-by-hand")
def not_fetched_by_hand(failure: Failure) -> Hits:
    yield failure.hit(say("never-fetched-itself-download", file=failure.groups["file"]))
