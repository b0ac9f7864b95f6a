"""Error messages: a distribution is asked for what it cannot compute."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

BY_SAMPLES = "{name}: no formula for this distribution, as behind a transform: a mean over samples"


CURES = {
    "rsample": "rsample: a draw without derivative, as discrete ones are: sample() and a loss of log_prob, or RelaxedOneHotCategorical",
    "entropy": "entropy: no formula for this distribution, as behind a transform: the mean of -d.log_prob(x) over samples",
    "cdf": "cdf: no formula for this distribution: the share of samples below the value",
    "icdf": "icdf: no formula for this distribution: torch.quantile of samples",
    "enumerate_support": "enumerate_support: only what has few values can be listed, as Categorical and Bernoulli",
    "log_prob": "log_prob: this distribution has none; one's own defines it",
}


NO_DENSITY = "log_prob: a transform that cannot be undone, as abs or softmax, leaves no density: TanhTransform, or StickBreakingTransform for shares"


ESTIMATED = ("mean", "variance", "stddev")


@explains("without-a-word")
def without_a_word(failure: Failure) -> Hits:
    asked = next((f for f in failure.frames if "/torch/distributions/" in f.posix), None)
    if asked is None or "/torch/distributions/" not in failure.raised_in:
        return
    if failure.raised_in.endswith("/transforms.py"):
        yield failure.hit(NO_DENSITY)
    elif asked.function in CURES:
        yield failure.hit(CURES[asked.function])
    elif asked.function in ESTIMATED:
        yield failure.hit(BY_SAMPLES.format(name=asked.function))


@explains("without-a-mode")
def without_a_mode(failure: Failure) -> Hits:
    yield failure.hit(say("mode-no-formula-distribution"))
