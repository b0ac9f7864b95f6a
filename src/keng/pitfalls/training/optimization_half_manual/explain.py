"""Error messages: manual and automatic optimization are mixed."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("several-optimizers")
def several_optimizers(failure: Failure) -> Hits:
    yield failure.hit(
        "since Lightning 2 the step serves several optimizers itself: self.automatic_optimization = False, no optimizer_idx, and "
        "self.optimizers() gives them"
    )


@explains("asked-of-the-trainer")
def asked_of_the_trainer(failure: Failure) -> Hits:
    own = "self.clip_gradients(optimizer, ...) before each step"
    if failure.groups["what"] == "accumulation":
        own = "step and zero_grad each n batches in training_step"
    yield failure.hit(
        f"{failure.groups['option']} is the trainer's, and the step optimizes by hand: drop it; {own}"
    )


@explains("by-hand-and-by-itself")
def by_hand_and_by_itself(failure: Failure) -> Hits:
    what = failure.groups["what"]
    yield failure.hit(
        f"{what} is for manual optimization, and the trainer goes backward by itself: return the loss, or "
        "self.automatic_optimization = False"
    )
