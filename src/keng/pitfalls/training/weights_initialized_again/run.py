"""A running program: weights are initialized more than once, at each level of the model."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import DrawnAgain


@watches("weights.again")
def drawn_at_each_level(seen: DrawnAgain) -> Hits:
    others = f" and {seen.count - 1} more parameters" if seen.count > 1 else ""
    says = f"`{seen.function}` draws `{seen.first}`{others} again, up to {seen.times} times"
    yield seen.hit(f"{says}: on {seen.times} ways to here", count=seen.count, times=seen.times)
