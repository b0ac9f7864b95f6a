"""A running program: the KL divergence gets probabilities where it takes their logarithms."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.facts.losses import LossCall


@watches(LossCall)
def softmax_in_the_graph(call: LossCall) -> Hits:
    if call.function == "kl_div" and call.input_made_by == "softmax":
        given = f"`{call.input}`" if call.input else "the input"
        yield call.hit(f"{given} went through softmax, but kl_div takes its logarithm")
