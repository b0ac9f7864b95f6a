"""A running program: two optimizers step on the same gradients."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import OverlappingOptimizers


@watches("optimizers.overlap")
def moved_twice(seen: OverlappingOptimizers) -> Hits:
    says = f"`{seen.second}` moves {seen.count} parameters once more: `{seen.first}` has moved them"
    yield seen.hit(f"{says} by the same gradients", parameters=seen.count)
