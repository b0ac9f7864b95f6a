"""A running program: the new output layer is frozen together with the backbone."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import FrozenOutput


@watches("output.frozen")
def random_and_frozen(seen: FrozenOutput) -> Hits:
    says = f"`{seen.layer}`, the output layer of `{seen.module}`, is frozen"
    yield seen.hit(f"{says} with the random weights that it was made with", layer=seen.layer)
