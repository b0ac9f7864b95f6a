"""Error messages: code, most often that which a model brings, was written for an older Transformers."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains
from keng.tables.older_transformers import ARGUMENTS, BEFORE, INSTEAD

OF_ITS_TIME = "for code that a model brings its newer revision, or the transformers_version of its config.json"


@explains("said-by-the-code")
def said_by_the_code(failure: Failure) -> Hits:
    who, bound, version = (failure.groups[key] for key in ("who", "bound", "version"))
    wanted = f"transformers{BEFORE.get(bound, bound)}{version}"
    yield failure.hit(
        f"{who}: made for {wanted}, and a newer one is installed: pip install '{wanted}', apart from what wants the newer"
    )


@explains("argument-taken-away")
def argument_taken_away(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(
        f"from_pretrained does not know `{name}` in the transformers that is installed, and hands it to the class: {ARGUMENTS[name]}"
    )


@explains("taken-away")
def taken_away(failure: Failure) -> Hits:
    who, name = failure.groups["who"], failure.groups["name"]
    instead = f": `{INSTEAD[name]}`" if name in INSTEAD else ""
    yield failure.hit(
        f"the transformers that is installed has no `{name}` of {who}{instead}; {OF_ITS_TIME}"
    )


@explains("repeated-twice")
def repeated_twice(failure: Failure) -> Hits:
    rows, there = int(failure.groups["rows"]), int(failure.groups["there"])
    beams = there // max(rows, 1)
    searches = any("beam" in frame.function + frame.text for frame in failure.frames)
    if searches and beams > 1 and there == rows * beams and rows % beams == 0:
        yield failure.hit(
            f"what the encoder gave is repeated for the {beams} beams twice: generate repeats all that it hands on since transformers 4.27, and the model's own "
            "code does too, as BLIP's: leave that out, or transformers<4.27"
        )


@explains("not-finished")
def not_finished(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['who']} lacks what self.post_init() sets, which a model of Transformers 5 calls at the end of its __init__: {OF_ITS_TIME}"
    )


@explains("not-inherited")
def not_inherited(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['who']} does not inherit from GenerationMixin, without which no class generates since transformers 4.50: "
        f"class ...(PreTrainedModel, GenerationMixin); {OF_ITS_TIME}"
    )
