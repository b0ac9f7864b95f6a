"""A running program: the KL divergence gets probabilities where it takes their logarithms."""

from __future__ import annotations

from keng.model import Hits, say
from keng.rules import watches
from keng.run.facts.losses import LossCall


@watches(LossCall)
def softmax_in_the_graph(call: LossCall) -> Hits:
    if call.function == "kl_div" and call.input_made_by == "softmax":
        named = say("went-through-softmax", given=call.input)
        yield call.hit(named if call.input else say("input-went-through-softmax"))
