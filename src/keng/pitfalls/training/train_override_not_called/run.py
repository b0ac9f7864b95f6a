"""A running program: a model freezes parts of itself in `train()`, which nobody calls."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import UncalledTrain


@watches("train.uncalled")
def learns_what_is_to_be_frozen(seen: UncalledTrain) -> Hits:
    does = f"freeze `{seen.first}` and {seen.frozen - 1} more" if seen.frozen > 1 else ""
    does = does or (
        f"freeze `{seen.first}`" if seen.frozen else f"hold {seen.modes} layers in eval"
    )
    says = f"`{seen.module}.train()` was never called: {seen.owner} would {does} there"
    yield seen.hit(says, frozen=seen.frozen, layers=seen.modes)
