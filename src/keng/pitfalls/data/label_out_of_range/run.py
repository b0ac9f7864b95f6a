"""A running program: a label is not among the model's classes."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import LossCall


@watches("loss")
def labels_against_outputs(call: LossCall) -> Hits:
    if call.labels is not None and call.labels.verdict and call.fits:
        yield call.hit(call.labels.verdict)
