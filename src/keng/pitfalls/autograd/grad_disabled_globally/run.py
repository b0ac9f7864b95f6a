"""A running program: gradients are switched off for the whole program."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import GradientsOff


@watches("gradients.off")
def backward_without_a_graph(seen: GradientsOff) -> Hits:
    if seen.switch is not None:
        says = (
            "gradients are switched off here for the whole program, and nothing is learned after it"
        )
        yield seen.hit(says, where=seen.switch)
