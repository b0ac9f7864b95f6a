"""A running program: a target requires a gradient."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import LossCall

ONE_SIDED = ("cross_entropy", "binary_cross_entropy", "binary_cross_entropy_with_logits")


COMPARING = ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss")


@watches("loss")
def gradient_for_the_target(loss: LossCall) -> Hits:
    # Two networks in training may be meant to learn from each other.
    if not loss.target_module or loss.target_is_trained or _swapped(loss):
        return
    name = loss.target or "the target"
    says = (
        f"`{name}` comes from `{loss.target_module}` with its graph: gradient flows into that too"
    )
    yield loss.hit(f"{says}; detach() cuts it")


@watches("loss")
def changed_places(loss: LossCall) -> Hits:
    if _swapped(loss):
        name = f"`{loss.target}`" if loss.target else "the second argument"
        says = f"{name} is the output of `{loss.target_module}`, and nothing learns in the first"
        yield loss.hit(f"{says} argument: they have changed places")


def _swapped(loss: LossCall) -> bool:
    return loss.function in ONE_SIDED and loss.changed_places


@watches("loss")
def moves_its_own_goal(loss: LossCall) -> Hits:
    if loss.function in COMPARING and loss.own_goal:
        says = f"`{loss.target or 'the target'}` is made of what `{loss.own_goal}` predicts"
        yield loss.hit(f"{says}, with its graph: the goal is moved as well; no_grad() or detach()")
