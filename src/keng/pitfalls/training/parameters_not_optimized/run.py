"""A running program: a layer is put into the model after the optimizer was made."""

from __future__ import annotations

from textwrap import shorten

from keng.model import Hits
from keng.rules import watches
from keng.run.facts.optimizer_coverage import IdleOptimizer, UnmovedParameters


@watches(UnmovedParameters)
def left_out_of_every_optimizer(fact: UnmovedParameters) -> Hits:
    # Of a model that no optimizer has any part of, the gradients may be a mere by-product.
    if not any(p.partly for p in fact.registered) and not fact.stale:
        return
    names = ", ".join(f"`{p.name}`" for p in fact.registered)
    says = f"{shorten(names, 80, placeholder=' ...')} held by no optimizer: gradients come, nothing moves"
    if fact.stale:
        says += f"; `{fact.optimizer}` holds {fact.stale} parameters that the model has no more"
    yield fact.hit(says, where=fact.where, parameters=len(fact.registered), stale=fact.stale)


@watches(IdleOptimizer)
def optimizer_of_another_model(fact: IdleOptimizer) -> Hits:
    says = (
        f"`{fact.optimizer}` has taken {fact.steps} steps, and none of its {fact.count} parameters"
    )
    yield fact.hit(f"{says} has ever had a gradient", parameters=fact.count)
