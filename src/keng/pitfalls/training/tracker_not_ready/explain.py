"""Error messages: what an Accelerator is to report to is not installed, not begun, or has no folder."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("no-folder")
def no_folder(failure: Failure) -> Hits:
    yield failure.hit(say("writes-files-accelerator-told", name=failure.groups["name"]))


@explains("not-installed")
def not_installed(failure: Failure) -> Hits:
    yield failure.hit(say("not-installed-where-runs", name=failure.groups["name"]))


@explains("other-trackers-alone")
def other_trackers_alone(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(say("accelerator-reports-other-trackers", name=name))
