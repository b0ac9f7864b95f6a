"""A running program: a recurrent state goes on into rows that do not continue."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import StateOfOthers


@watches("state.of.others")
def read_with_the_memory_of_others(seen: StateOfOthers) -> Hits:
    layer = f"`{seen.layer}`" if seen.layer else "a recurrent layer"
    says = f"{layer} begins each batch with the state that it left after the one before"
    yield seen.hit(
        f"{says}, and the loader shuffles: the rows do not continue", batches=seen.batches
    )
