"""A running program: layers or parameters are stored where `nn.Module` does not register them."""

from __future__ import annotations

from keng.model import Hits, say
from keng.rules import watches
from keng.run.facts.optimizer_coverage import UnmovedParameters


@watches(UnmovedParameters)
def trained_in_vain(fact: UnmovedParameters) -> Hits:
    for made, name in {p.made: p.container for p in fact.hidden}.items():
        count = sum(p.container == name for p in fact.hidden)
        says = say("parameters-not-registered-gradients", count=count, name=name)
        if any(p.plain for p in fact.hidden if p.container == name):
            says = say("gathers-gradients-no-parameter", name=name)
        yield fact.hit(says, where=made or fact.where, parameters=count)
