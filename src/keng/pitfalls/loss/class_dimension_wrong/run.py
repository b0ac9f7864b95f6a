"""A running program: probabilities are made over the samples of a batch instead of the classes."""

from __future__ import annotations

from keng.model import Hits, say
from keng.rules import watches
from keng.run.facts.losses import LossCall


@watches(LossCall)
def each_class_by_itself(call: LossCall) -> Hits:
    if call.function not in ("nll_loss", "cross_entropy") or call.normalized_over != 0:
        return
    # Of a square table of pairs both directions are meant.
    if len(call.input_shape) > 1 and call.input_shape[0] != call.input_shape[1]:
        shape = call.input_shape
        if call.input:
            yield call.hit(say("name-over-samples", name=call.input, shape=shape))
        elif call.input_module:
            yield call.hit(say("module-over-samples", module=call.input_module, shape=shape))
        else:
            yield call.hit(say("model-over-samples", shape=shape))
