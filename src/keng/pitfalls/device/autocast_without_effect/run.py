"""A running program: under autocast all is computed in float32."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import IdleAutocast


@watches("autocast.idle")
def nothing_is_cast(seen: IdleAutocast) -> Hits:
    says = f"nothing in `{seen.module}` is computed in {seen.dtype}: autocast does not reach"
    yield seen.hit(f"{says} its {seen.products} matrix products", products=seen.products)
