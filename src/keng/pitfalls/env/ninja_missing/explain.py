"""Error messages: the tool that builds extensions is not there."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("no-ninja")
def no_ninja(failure: Failure) -> Hits:
    yield failure.hit(say("ninja-missing"))


@explains("not-to-be-run")
def not_to_be_run(failure: Failure) -> Hits:
    asked = any("ninja --version" in frame.text for frame in failure.frames)
    if asked or ("'ninja'" in failure.message and failure.mentions_torch):
        yield failure.hit(say("ninja-missing"))


@explains("built-without")
def built_without(failure: Failure) -> Hits:
    yield failure.hit(say("built-without-ninja"))
