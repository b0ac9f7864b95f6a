"""Error messages: the loss becomes NaN or infinite."""

from __future__ import annotations

from keng.explain.advice.losses import without_slope
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("told-of-the-loss")
def told_of_the_loss(failure: Failure) -> Hits:
    yield failure.hit(
        "the loss is NaN or infinite: a rate too high, float16, a log, root or division of 0, or NaN in the data; torch.autograd.set_detect_anomaly(True) names the operation"
    )


@explains("found-by-anomaly-mode")
def found_by_anomaly_mode(failure: Failure) -> Hits:
    operation = failure.groups["node"].partition("Backward")[0]
    yield failure.hit(without_slope(operation), operation=operation)


@explains("told-by-a-detector")
def told_by_a_detector(failure: Failure) -> Hits:
    what = failure.groups["what"]
    cure = "a lower learning rate and a warm-up, boxes of positive size"
    if what == "A tensor":
        what, cure = "the output", "that part in float32: float16 overflows there"
    yield failure.hit(f"{what} became NaN: {cure}")


@explains("told-by-a-matcher")
def told_by_a_matcher(failure: Failure) -> Hits:
    of_a_model = any(failure.shows(word) for word in ("matcher", "detr", "torch"))
    if of_a_model or not failure.groups["costs"]:
        yield failure.hit(
            "what the model predicts is NaN where boxes are matched with targets: a lower rate, clipped gradients, no fp16, and targets that are "
            "shares of the image from 0 to 1"
        )


@explains("told-by-a-trainer")
def told_by_a_trainer(failure: Failure) -> Hits:
    what = f"the loss is {lost}" if (lost := failure.groups.get("lost")) else "the weights are NaN"
    yield failure.hit(
        f"{what}, and nothing after that is of use: go back to the last good checkpoint, a lower rate, no fp16"
    )
