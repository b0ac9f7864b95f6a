"""A running program: binary cross-entropy gets raw outputs, or the one that wants raw outputs gets
probabilities."""

from __future__ import annotations

from keng.model import Hits, say
from keng.rules import watches
from keng.run.facts.losses import LossCall


@watches(LossCall)
def sigmoid_in_the_graph(call: LossCall) -> Hits:
    if call.function == "binary_cross_entropy_with_logits" and call.input_made_by == "sigmoid":
        named = say("went-through-before-loss", given=call.input)
        yield call.hit(named if call.input else say("input-went-through"))
