"""A running program: probabilities are given to cross-entropy, which takes raw outputs."""

from __future__ import annotations

from keng.model import Hits, say
from keng.rules import watches
from keng.run.facts.losses import LossCall


@watches(LossCall)
def softmax_in_the_graph(call: LossCall) -> Hits:
    if call.function == "cross_entropy" and call.input_made_by == "softmax":
        if call.input:
            says = say("softmax-before", given=call.input)
        elif call.input_module:
            says = say("output-of-module", module=call.input_module)
        else:
            says = say("output-of-model")
        yield call.hit(says, module=call.input_module)
