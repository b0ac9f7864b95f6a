"""Error messages: a distributed checkpoint does not hold what is loaded from it."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("name-not-there")
def name_not_there(failure: Failure) -> Hits:
    yield failure.hit(say("checkpoint-has-no-was", name=failure.groups["name"]))


@explains("never-stepped")
def never_stepped(failure: Failure) -> Hits:
    yield failure.hit(say("optimizer-had-no-state", name=failure.groups["name"]))


@explains("of-another-size")
def of_another_size(failure: Failure) -> Hits:
    saved, now, name = (failure.groups[key] for key in ("saved", "now", "name"))
    yield failure.hit(say("was-saved-model-same", now=name, saved=saved, now_2=now))


@explains("folder-without-metadata")
def folder_without_metadata(failure: Failure) -> Hits:
    yield failure.hit(say("there-no-metadata-wrong", path=failure.groups["path"]))


@explains("metadata-damaged")
def metadata_damaged(failure: Failure) -> Hits:
    yield failure.hit(say("metadata-checkpoint-there-damaged", why=failure.groups["why"]))


@explains("part-is-missing")
def part_is_missing(failure: Failure) -> Hits:
    yield failure.hit(say("holds-rank-s-part", path=failure.groups["path"]))
