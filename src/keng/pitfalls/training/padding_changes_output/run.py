"""A running program: padding moves the output of real positions."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.facts.probed_models import ProbedModel


@watches(ProbedModel)
def padding_moves_a_real_position(model: ProbedModel) -> Hits:
    yield from model.hits("padding")
