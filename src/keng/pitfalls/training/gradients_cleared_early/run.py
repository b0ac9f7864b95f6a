"""A running program: gradients are cleared between the backward and the step."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import ClearedGradients, DroppedGradients


@watches("gradients.cleared")
def nothing_left_to_step_on(seen: ClearedGradients) -> Hits:
    says = f"the gradients of `{seen.optimizer}` are cleared here before it steps on them"
    yield seen.hit(f"{says}: its {seen.steps} steps had none", steps=seen.steps)


@watches("gradients.dropped")
def only_the_last_counts(seen: DroppedGradients) -> Hits:
    says = (
        "the gradients of the backward before are cleared here, and no step has used them: of what"
    )
    says += f" `{seen.optimizer}` steps on, only the last backward counts"
    yield seen.hit(says, steps=seen.steps, rounds=seen.rounds)
