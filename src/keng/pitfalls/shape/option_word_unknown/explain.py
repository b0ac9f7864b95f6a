"""Error messages: a word, or a number that stands for one, chooses what a function does, and is none that it knows."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("none-of-the-known")
def none_of_the_known(failure: Failure) -> Hits:
    name = failure.groups.get("name") or failure.message.partition("Expected ")[2].partition(" ")[0]
    name, known = name.removesuffix(" argument"), failure.groups["known"]
    known = known.rstrip(". ")
    if failure.groups.get("came"):
        yield failure.hit(
            say("option-is-another", name=name, known=known, came=failure.groups["came"])
        )
    else:
        yield failure.hit(say("option-is-one-of", name=name, known=known))


@explains("reduction-of-another-name")
def reduction_of_another_name(failure: Failure) -> Hits:
    if failure.frames and failure.frames[-1].path.endswith("functional.py"):
        yield failure.hit(say("reduction-unknown", came=failure.groups["came"]))
