"""A running program: later tokens move earlier outputs of a model that predicts them."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.facts.probed_models import ProbedModel


@watches(ProbedModel)
def later_token_moves_an_earlier_output(model: ProbedModel) -> Hits:
    yield from model.hits("causal")
