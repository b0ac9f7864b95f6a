"""A running program: gradients are never cleared between the steps."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import CarriedGradients, KeptGradients


@watches("gradients.carried")
def added_to_used_gradients(grads: CarriedGradients) -> Hits:
    if grads.steps >= 2:
        says = (
            f"adds to gradients that `{grads.optimizer}` has already used; nothing has cleared them"
        )
        yield grads.hit(says, steps_in_a_row=grads.steps)


@watches("gradients.kept")
def added_after_a_move_by_hand(grads: KeptGradients) -> Hits:
    name = f"`{grads.name}`" if grads.name else "a tensor"
    says = f"adds to the gradient that {name} was moved along; nothing has cleared it"
    yield grads.hit(says, steps_in_a_row=grads.steps)
