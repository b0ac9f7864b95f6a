"""Error messages: the loss becomes NaN or infinite."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

SLOPES = {
    "Sqrt Rsqrt": "the root of 0 has none: torch.sqrt(x + 1e-8)",
    "Pow": "a root of 0, itself or of what comes of it, or of a number below 0: (x ** 2 + 1e-8).sqrt()",
    "Log Log2 Log10": "the logarithm of 0 has none: x.clamp(min=1e-8) before it",
    "Div": "it divides by 0, where a torch.where() behind it is of no help: put the divisor right before",
    "Softmax LogSoftmax": "a row is -inf throughout, as where all is masked, or held NaN",
    "Acos Asin": "at 1 and -1 there is none: x.clamp(-1 + 1e-6, 1 - 1e-6) before it",
    "Std Var": "one value alone has no spread: unbiased=False, or more samples",
    "Exp": "it has overflowed: less than 88 goes in, less than 11 in float16",
}
REASONS = {name: why for names, why in SLOPES.items() for name in names.split()}
COMES = (
    "what it kept or what came to it was infinite: a mask of -inf, too much for float16, or a root or "
    "division by 0 behind it"
)


@explains("told-of-the-loss")
def told_of_the_loss(failure: Failure) -> Hits:
    yield failure.hit(say("loss-nan-or-infinite"))


@explains("found-by-anomaly-mode")
def found_by_anomaly_mode(failure: Failure) -> Hits:
    operation = failure.groups["node"].partition("Backward")[0]
    yield failure.hit(_without_slope(operation), operation=operation)


@explains("told-by-a-detector")
def told_by_a_detector(failure: Failure) -> Hits:
    what = failure.groups["what"]
    cure = "a lower learning rate and a warm-up, boxes of positive size"
    if what == "A tensor":
        what, cure = "the output", "that part in float32: float16 overflows there"
    yield failure.hit(say("why-became-nan-cure", why=what, cure=cure))


@explains("told-by-a-matcher")
def told_by_a_matcher(failure: Failure) -> Hits:
    of_a_model = any(failure.contains(word) for word in ("matcher", "detr", "torch"))
    if of_a_model or not failure.groups["costs"]:
        yield failure.hit(say("what-model-predicts-nan"))


@explains("told-by-a-trainer")
def told_by_a_trainer(failure: Failure) -> Hits:
    what = f"the loss is {lost}" if (lost := failure.groups.get("lost")) else "the weights are NaN"
    yield failure.hit(say("nothing-after-use-go", what=what))


def _without_slope(operation: str) -> str:
    return f"the slope of `{operation}` is NaN: {REASONS.get(operation, COMES)}"
