"""A running program: layers that an optimizer holds run under `no_grad`, and stay as they were drawn."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import ShadedParameters

SHOWN = 3


@watches("parameters.shaded")
def drawn_and_never_learned(seen: ShadedParameters) -> Hits:
    names = ", ".join(f"`{name}`" for name in seen.parameters[:SHOWN])
    more = f" and {seen.count - SHOWN} more" if seen.count > SHOWN else ""
    says = f"{names}{more}, held by `{seen.optimizer}`, never learns"
    yield seen.hit(f"{says}: it runs under `no_grad` here", parameters=seen.count)
