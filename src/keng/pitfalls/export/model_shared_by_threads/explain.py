"""Error messages: one model answers several requests at the same time."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

TOGETHER = re.compile(
    r"\b(?:multiple|several|two|2|many|parallel|simultaneous|concurrent) (?:\w{1,20} ){0,2}requests?\b|"
    r"\b(?:requests?|predictions)\b.{0,60}\b(?:simultaneous(?:ly)?|concurrent(?:ly)?|at the same time|at once|in parallel)\b|"
    r"\bconcurrency_(?:count|limit)=(?!1\b)|\b(?:simultaneous|concurrent|multi-?threaded|parallel) (?:inference|prediction|requests?)|"
    r"\b(?:multiple|several|two|2|many|parallel|different) threads\b.{0,60}\b(?:predict|infer|generat|transcri)|"
    r"并发请求|同时请求|多个请求",
    re.IGNORECASE,
)
"""What people write of requests that come together."""


@explains("scheduler-stepped-by-two")
def scheduler_stepped_by_two(failure: Failure) -> Hits:
    steps = failure.groups.get("steps")
    past = say("scheduler-past-its-end", steps=steps)
    if "/diffusers/schedulers/" in failure.raised_in:
        yield failure.hit(past if steps else say("scheduler-reset"))


@explains("tokenizer-set-by-two")
def tokenizer_set_by_two(failure: Failure) -> Hits:
    known = any(failure.contains(word) for word in ("tokeniz", "transformers"))
    yield failure.hit(
        say("tokenizer-set-by-two"),
        sure=known or "tokeniz" in failure.context,
    )


@explains("one-yolo-for-two")
def one_yolo_for_two(failure: Failure) -> Hits:
    if failure.contains("ultralytics"):
        yield failure.hit(say("one-yolo-for-two", what=failure.groups["what"]))


@explains("answered-at-once")
def answered_at_once(failure: Failure) -> Hits:
    if TOGETHER.search(" ".join(failure.context.split())):
        yield failure.hit(say("requests-share-model"))
