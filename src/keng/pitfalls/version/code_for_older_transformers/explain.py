"""Error messages: code, most often that which a model brings, was written for an older Transformers."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains
from keng.tables.older_transformers import ARGUMENTS, BEFORE, INSTEAD


@explains("said-by-the-code")
def said_by_the_code(failure: Failure) -> Hits:
    who, bound, version = (failure.groups[key] for key in ("who", "bound", "version"))
    wanted = f"transformers{BEFORE.get(bound, bound)}{version}"
    yield failure.hit(say("made-for-older", who=who, wanted=wanted))


@explains("argument-taken-away")
def argument_taken_away(failure: Failure) -> Hits:
    name = failure.groups["name"]
    instead = ARGUMENTS[name]
    renamed = say("argument-removed", name=name, instead=instead)
    yield failure.hit(renamed if instead else say("argument-without-effect", name=name))


@explains("taken-away")
def taken_away(failure: Failure) -> Hits:
    who, name = failure.groups["who"], failure.groups["name"]
    advice = say("use-matching-revision")
    says = say("name-removed", name=name, who=who, advice=advice)
    if name in INSTEAD:
        says = say("name-replaced", name=name, who=who, instead=INSTEAD[name], advice=advice)
    yield failure.hit(says)


@explains("repeated-twice")
def repeated_twice(failure: Failure) -> Hits:
    rows, there = int(failure.groups["rows"]), int(failure.groups["there"])
    beams = there // max(rows, 1)
    searches = any("beam" in frame.function + frame.text for frame in failure.frames)
    if searches and beams > 1 and there == rows * beams and rows % beams == 0:
        yield failure.hit(say("repeated-twice", beams=beams))


@explains("not-finished")
def not_finished(failure: Failure) -> Hits:
    yield failure.hit(
        say("post-init-missing", who=failure.groups["who"], advice=say("use-matching-revision"))
    )


@explains("not-inherited")
def not_inherited(failure: Failure) -> Hits:
    yield failure.hit(
        say(
            "generation-mixin-missing",
            who=failure.groups["who"],
            advice=say("use-matching-revision"),
        )
    )
