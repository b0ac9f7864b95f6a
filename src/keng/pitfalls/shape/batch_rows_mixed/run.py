"""A running program: one row of a batch moves the output of others."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.facts.probed_models import ProbedModel


@watches(ProbedModel)
def row_moves_another(model: ProbedModel) -> Hits:
    yield from model.hits("rows", but="rows-order")
