"""A running program: a layer is put into the model after the optimizer was made."""

from __future__ import annotations

from textwrap import shorten

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import IdleOptimizer, UnmovedParameters


@watches("parameters.unmoved")
def left_out_of_every_optimizer(seen: UnmovedParameters) -> Hits:
    # Of a model that no optimizer has any part of, the gradients may be a mere by-product.
    if not any(p.partly for p in seen.registered) and not seen.stale:
        return
    names = ", ".join(f"`{p.name}`" for p in seen.registered)
    says = f"{shorten(names, 80, placeholder=' ...')} held by no optimizer: gradients come, nothing moves"
    if seen.stale:
        says += f"; `{seen.optimizer}` holds {seen.stale} parameters that the model has no more"
    yield seen.hit(says, parameters=len(seen.registered), stale=seen.stale)


@watches("optimizer.idle")
def optimizer_of_another_model(seen: IdleOptimizer) -> Hits:
    says = (
        f"`{seen.optimizer}` has taken {seen.steps} steps, and none of its {seen.count} parameters"
    )
    yield seen.hit(f"{says} has ever had a gradient", parameters=seen.count)
