"""Error messages: deepSpeed's file is not found, holds a value that it does not take, or contradicts the launcher."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("no-such-file")
def no_such_file(failure: Failure) -> Hits:
    came = failure.groups["came"]
    says = f"`{came}` is no file, seen from the folder in which the program runs: its path from the root"
    if came.startswith("{"):
        says = "the text that is given for DeepSpeed's file is no JSON: a path or a dictionary"
    yield failure.hit(says)


@explains("value-not-taken")
def value_not_taken(failure: Failure) -> Hits:
    name, kind, came = (failure.groups[key] for key in ("name", "kind", "came"))
    says = f"`{name}` is {came} in DeepSpeed's file, where {kind} is wanted"
    if "fractional" in failure.message:
        says += ': the whole number in place of "auto", which older versions of accelerate and Transformers fill with such'
    yield failure.hit(says)


@explains("nobody-fills-it")
def nobody_fills_it(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(
        f'`{name}` is "auto" in DeepSpeed\'s file, and the program has told accelerate none: the number itself there'
    )


@explains("two-precisions")
def two_precisions(failure: Failure) -> Hits:
    asked, there = failure.groups["asked"], failure.groups["there"]
    yield failure.hit(
        f"accelerate is told {asked} and DeepSpeed's file enables {there}: --mixed_precision {there}, or the other in the file"
    )
