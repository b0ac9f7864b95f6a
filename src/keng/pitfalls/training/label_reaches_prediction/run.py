"""A running program: labels that a model is given move its predictions."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.facts.probed_models import ProbedModel


@watches(ProbedModel)
def label_moves_its_prediction(model: ProbedModel) -> Hits:
    yield from model.hits("labels")
