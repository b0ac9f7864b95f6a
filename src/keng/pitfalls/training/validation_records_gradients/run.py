"""A running program: validation records a graph that nobody will use."""

from __future__ import annotations

from keng.model import Hits, say
from keng.rules import watches
from keng.run.facts.evaluation import Evaluation


@watches(Evaluation)
def graphs_that_no_backward_used(fact: Evaluation) -> Hits:
    if fact.training and not (fact.whole and fact.trained):
        return
    if fact.records and fact.forwards >= 2:
        says = say("recorded-graphs-no-backward", name=fact.name, forwards=fact.forwards)
        yield fact.hit(says, where=fact.where, batches=fact.forwards)
