"""A running program: rows of a batch get something by their number in the batch."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.facts.probed_models import ProbedModel


@watches(ProbedModel)
def depends_on_number_in_batch(model: ProbedModel) -> Hits:
    yield from model.hits("rows-order")
