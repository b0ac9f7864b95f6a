"""A running program: a layer is put into the model after the optimizer was made."""

from __future__ import annotations

from textwrap import shorten

from keng.model import Hits, say
from keng.rules import watches
from keng.run.facts.optimizer_coverage import IdleOptimizer, UnmovedParameters


@watches(UnmovedParameters)
def left_out_of_every_optimizer(fact: UnmovedParameters) -> Hits:
    # Of a model that no optimizer has any part of, the gradients may be a mere by-product.
    if not any(p.partly for p in fact.registered) and not fact.stale:
        return
    names = shorten(", ".join(f"`{p.name}`" for p in fact.registered), 80, placeholder=" ...")
    values = {"names": names, "optimizer": fact.optimizer, "stale": fact.stale}
    replaced = say("held-by-none-others-stale", **values)
    says = replaced if fact.stale else say("held-by-none", names=names)
    yield fact.hit(says, where=fact.where, parameters=len(fact.registered), stale=fact.stale)


@watches(IdleOptimizer)
def optimizer_of_another_model(fact: IdleOptimizer) -> Hits:
    counts = {"steps": fact.steps, "count": fact.count}
    says = say("never-had-gradient", optimizer=fact.optimizer, **counts)
    yield fact.hit(says, parameters=fact.count)
