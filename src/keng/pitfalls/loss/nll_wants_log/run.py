"""A running program: the negative log-likelihood gets raw scores where it takes log-probabilities."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import LossGraph


@watches("loss.graph")
def scores_without_logarithm(graph: LossGraph) -> Hits:
    if raw := graph.raw_scores:
        given = f"`{raw.module}` gives" if raw.module else "a layer gives"
        says = f"{given} raw scores, up to {raw.highest:.3g}, and nll_loss takes log-probabilities, at most 0"
        yield graph.hit(f"{says}: cross_entropy takes the scores", where=raw.where)
