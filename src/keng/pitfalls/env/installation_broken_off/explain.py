"""Error messages: an installation of PyTorch does not come to its end."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("not-fetched")
def not_fetched(failure: Failure) -> Hits:
    says = say("download-wheel-gigabytes-broke")
    yield failure.hit(says)


@explains("another-hash")
def another_hash(failure: Failure) -> Hits:
    if failure.groups.get("list"):
        says = say("list-files-has-mistakes", name=failure.groups["name"])
        yield failure.hit(says)
        return
    says = say("download-not-whole-or", name=failure.groups["name"])
    yield failure.hit(says)


@explains("held-open")
def held_open(failure: Failure) -> Hits:
    says = say("use-close-every-notebook", file=failure.groups["file"])
    yield failure.hit(says)


@explains("path-too-long")
def path_too_long(failure: Failure) -> Hits:
    says = say("windows-refuses-paths-long")
    yield failure.hit(says)


@explains("half-removed")
def half_removed(failure: Failure) -> Hits:
    says = say("site-packages-holds-left", rest=failure.groups["rest"])
    yield failure.hit(says)
