"""A running program: the scores of a cross-entropy come out of a ReLU."""

from __future__ import annotations

from keng.model import Hits, say
from keng.rules import watches
from keng.run.facts.losses import LossCall

OF_SCORES = ("cross_entropy", "binary_cross_entropy_with_logits")


@watches(LossCall)
def scores_out_of_relu(call: LossCall) -> Hits:
    if call.function in OF_SCORES and not call.failed and call.input_made_by == "relu":
        given = f"`{call.input}`" if call.input else say("the-scores")
        yield call.hit(say("relu-in-graph", given=given, function=call.function))
