"""A running program: binary cross-entropy gets raw outputs, or the one that wants raw outputs gets
probabilities."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.facts.losses import LossCall


@watches(LossCall)
def sigmoid_in_the_graph(call: LossCall) -> Hits:
    if call.function == "binary_cross_entropy_with_logits" and call.input_made_by == "sigmoid":
        given = f"`{call.input}`" if call.input else "the input"
        yield call.hit(f"{given} went through a sigmoid before the loss, which has one inside")
