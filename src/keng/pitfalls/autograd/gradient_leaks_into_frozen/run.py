"""A running program: a part that is not being trained gets gradients all the same."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import LeakedGradients


@watches("gradients.leaked")
def gradients_that_nobody_used(seen: LeakedGradients) -> Hits:
    says = f"the backward for `{seen.trained}` goes on through `{seen.behind}`, whose gradients"
    cure = "nobody uses: detach() what it is given"
    if not seen.learns:
        cure = "no optimizer has used: give it one, or detach() its output"
    yield seen.hit(f"{says} {cure}", steps_in_a_row=seen.times)
