"""Error messages: code, most often that which a model brings, was written for an older Transformers."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains
from keng.tables.older_transformers import ARGUMENTS, BEFORE, INSTEAD

OF_ITS_TIME = "for code that a model brings its newer revision, or the transformers_version of its config.json"


@explains("said-by-the-code")
def said_by_the_code(failure: Failure) -> Hits:
    who, bound, version = (failure.groups[key] for key in ("who", "bound", "version"))
    wanted = f"transformers{BEFORE.get(bound, bound)}{version}"
    yield failure.hit(say("made-newer-one-installed", wanted=who, wanted_2=wanted))


@explains("argument-taken-away")
def argument_taken_away(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(say("from-pretrained-does-not", instead=name, ARGUMENTS=ARGUMENTS[name]))


@explains("taken-away")
def taken_away(failure: Failure) -> Hits:
    who, name = failure.groups["who"], failure.groups["name"]
    instead = f": `{INSTEAD[name]}`" if name in INSTEAD else ""
    yield failure.hit(
        say(
            "transformers-installed-has-no",
            time=name,
            who=who,
            instead=instead,
            OF_ITS_TIME=OF_ITS_TIME,
        )
    )


@explains("repeated-twice")
def repeated_twice(failure: Failure) -> Hits:
    rows, there = int(failure.groups["rows"]), int(failure.groups["there"])
    beams = there // max(rows, 1)
    searches = any("beam" in frame.function + frame.text for frame in failure.frames)
    if searches and beams > 1 and there == rows * beams and rows % beams == 0:
        yield failure.hit(say("what-encoder-gave-repeated", beams=beams))


@explains("not-finished")
def not_finished(failure: Failure) -> Hits:
    yield failure.hit(
        say("lacks-what-self-post", time=failure.groups["who"], OF_ITS_TIME=OF_ITS_TIME)
    )


@explains("not-inherited")
def not_inherited(failure: Failure) -> Hits:
    yield failure.hit(
        say("does-not-inherit-from", time=failure.groups["who"], OF_ITS_TIME=OF_ITS_TIME)
    )
