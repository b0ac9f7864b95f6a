"""A running program: a layer under `spectral_norm` is used before its norm was ever estimated."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import UntrainedNorm


@watches("module.untrained")
def divided_by_a_random_number(seen: UntrainedNorm) -> Hits:
    layers = ", ".join(f"`{layer}`" for layer in seen.layers[:3])
    says = f"`{seen.module}` is run in eval mode, and the spectral norm of {layers} was never estimated"
    yield seen.hit(f"{says}: its weights are divided by a random number")
