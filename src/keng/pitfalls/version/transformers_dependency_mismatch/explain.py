"""Error messages: transformers wants another version of a package that it stands on."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("out-of-its-range")
def out_of_its_range(failure: Failure) -> Hits:
    wanted, has = failure.groups["wanted"], failure.groups["has"]
    known = say("outside-its-range", wanted=wanted, has=has)
    yield failure.hit(known if has else say("another-installed", wanted=wanted))


@explains("not-there")
def not_there(failure: Failure) -> Hits:
    wanted = failure.groups["wanted"]
    yield failure.hit(say("not-installed", wanted=wanted))


@explains("without-a-version")
def without_a_version(failure: Failure) -> Hits:
    wanted = failure.groups["wanted"]
    yield failure.hit(say("metadata-incomplete", wanted=wanted))
