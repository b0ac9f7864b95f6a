"""A running program: probabilities are made over the samples of a batch instead of the classes."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.facts.losses import LossCall


@watches(LossCall)
def each_class_by_itself(call: LossCall) -> Hits:
    if call.function not in ("nll_loss", "cross_entropy") or call.normalized_over != 0:
        return
    # Of a square table of pairs both directions are meant.
    if len(call.input_shape) > 1 and call.input_shape[0] != call.input_shape[1]:
        name = call.input or f"the output of {call.input_module or 'the model'}"
        says = f"`{name}` is {call.input_shape}, and its softmax went over dimension 0, the samples"
        yield call.hit(f"{says}: the classes are dimension 1")
