"""Error messages: a trainer leaves out a part of the run, and says so in a warning alone."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("written-seldom")
def written_seldom(failure: Failure) -> Hits:
    batches, every = failure.groups["batches"], failure.groups["every"]
    yield failure.hit(say("epoch-has-batches-values", every=batches, every_2=every))


@explains("left-in-eval-mode")
def left_in_eval_mode(failure: Failure) -> Hits:
    count = failure.groups["count"]
    yield failure.hit(say("modules-eval-mode-from", count=count))


@explains("of-one-process")
def of_one_process(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(say("mean-one-process-s", name=name))


@explains("callback-not-resumed")
def callback_not_resumed(failure: Failure) -> Hits:
    yield failure.hit(say("checkpoint-holds-state-trainer", names=failure.groups["names"]))


@explains("written-nowhere")
def written_nowhere(failure: Failure) -> Hits:
    yield failure.hit(say("logged-trainer-has-logger", name=failure.groups["name"]))


@explains("rate-not-followed")
def rate_not_followed(failure: Failure) -> Hits:
    yield failure.hit(say("not-logged-when-scheduler", name=failure.groups["name"]))
