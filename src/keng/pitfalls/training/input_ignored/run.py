"""A running program: the output of a model moves with none of its inputs."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.facts.probed_models import ProbedModel


@watches(ProbedModel)
def no_input_moves_the_output(model: ProbedModel) -> Hits:
    yield from model.hits("inputs")
