"""Error messages: one model answers several requests at the same time."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits
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
    what = f"ran past its {steps} steps" if steps else "was set back between two steps (step_index)"
    if "/diffusers/schedulers/" in failure.raised_in:
        yield failure.hit(
            f"the pipeline's scheduler {what}: two threads share it, or a loop began without set_timesteps; a fresh scheduler for each call, or a lock"
        )


@explains("tokenizer-set-by-two")
def tokenizer_set_by_two(failure: Failure) -> Hits:
    known = any(failure.contains(word) for word in ("tokeniz", "transformers"))
    yield failure.hit(
        "two threads set the padding or truncation of one fast tokenizer: a copy for each, copy.deepcopy(tokenizer), or a lock around it",
        sure=known or "tokeniz" in failure.context,
    )


@explains("one-yolo-for-two")
def one_yolo_for_two(failure: Failure) -> Hits:
    if failure.contains("ultralytics"):
        yield failure.hit(
            f"two threads use one YOLO at the same time, and each takes away what the other needs (`{failure.groups['what']}`): YOLO(...) made in each thread"
        )


@explains("graphs-of-another-thread")
def graphs_of_another_thread(failure: Failure) -> Hits:
    yield failure.hit(
        'CUDA graphs belong to the thread that recorded them: one thread for all calls of the compiled model, or another mode than "reduce-overhead"'
    )


@explains("answered-at-once")
def answered_at_once(failure: Failure) -> Hits:
    if TOGETHER.search(" ".join(failure.context.split())):
        yield failure.hit(
            "requests that come together share one model, and each writes over what the other keeps in it: one at a time, with a lock or a queue, or a model for each worker"
        )
