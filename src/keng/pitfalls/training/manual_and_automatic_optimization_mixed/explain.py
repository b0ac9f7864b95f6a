"""Error messages: manual and automatic optimization are mixed."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("several-optimizers")
def several_optimizers(failure: Failure) -> Hits:
    yield failure.hit(say("since-lightning-step-serves"))


@explains("asked-of-the-trainer")
def asked_of_the_trainer(failure: Failure) -> Hits:
    own = "self.clip_gradients(optimizer, ...) before each step"
    if failure.groups["what"] == "accumulation":
        own = "step and zero_grad each n batches in training_step"
    yield failure.hit(say("trainer-s-step-optimizes", own=failure.groups["option"], own_2=own))


@explains("by-hand-and-by-itself")
def by_hand_and_by_itself(failure: Failure) -> Hits:
    what = failure.groups["what"]
    yield failure.hit(say("manual-optimization-trainer-goes", what=what))
