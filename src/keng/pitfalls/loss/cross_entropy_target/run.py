"""A running program: cross-entropy gets labels of another type or shape than it takes."""

from __future__ import annotations

from keng.model import Hits
from keng.pitfalls.loss.cross_entropy_target._shared import LOSSES
from keng.rules import watches
from keng.run.moments import LossCall


@watches("loss")
def scores_and_labels_apart(loss: LossCall) -> Hits:
    given, target = loss.input_shape, loss.target_shape
    if loss.function not in LOSSES or (loss.failed and loss.misfit_is_range):
        return
    if loss.failed:
        says = f"scores of shape {given} and labels of shape {target}, {loss.target_dtype}"
        yield loss.hit(f"{says}, do not fit")
    elif len(given) == 3 and given[1] == given[2] and target == given[:-1] and loss.classes_last:
        says = f"`{loss.input or 'the input'}` is {given} with the classes last: dimension 1 is taken for them"
        yield loss.hit(f"{says}; transpose(1, 2)")
