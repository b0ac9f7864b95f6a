"""A running program: probabilities are given to cross-entropy, which takes raw outputs."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.facts.losses import LossCall


@watches(LossCall)
def softmax_in_the_graph(call: LossCall) -> Hits:
    if call.function == "cross_entropy" and call.input_made_by == "softmax":
        of = f"`{call.input_module}`" if call.input_module else "the model"
        given = f"`{call.input}`" if call.input else f"the output of {of}"
        says = f"{given} went through softmax before cross-entropy"
        yield call.hit(says, module=call.input_module)
