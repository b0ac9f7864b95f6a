"""A running program: a clipped policy loss clips nothing, or compares what does not belong together."""

from __future__ import annotations

from keng.model import Hits, say
from keng.rules import watches
from keng.run.facts.policy_losses import PolicyLoss
from keng.run.optimizers import optimizers

UNMOVED = 12
"""Losses on rows that had been trained on before."""
MOST = 0.6
"""Share of the first ratios that are not 1. Those of padding may be anything."""


@watches(PolicyLoss)
def never_leaves_one(loss: PolicyLoss) -> Hits:
    if loss.unmoved == UNMOVED:
        yield loss.hit(say("always-one", count=UNMOVED), where=loss.where)


@watches(PolicyLoss)
def begins_elsewhere(loss: PolicyLoss) -> Hits:
    """Before the first step the policy is the one that has acted."""
    if loss.fresh and loss.far_from_one > MOST:
        says = say("first-not-one", share=f"{loss.far_from_one:.0%}")
        yield loss.hit(says, sure=False, where=loss.where)


@watches(PolicyLoss)
def terms_differ(loss: PolicyLoss) -> Hits:
    if loss.different:
        yield loss.hit(say("terms-differ", choice=loss.surrogate.choice), where=loss.where)


@watches(PolicyLoss)
def bounds_exclude_one(loss: PolicyLoss) -> Hits:
    low, high = loss.surrogate.bounds
    if not low <= 1 <= high:
        yield loss.hit(
            say("bounds-without-one", low=f"{low:g}", high=f"{high:g}"), where=loss.where
        )


@watches(PolicyLoss)
def takes_the_better(loss: PolicyLoss) -> Hits:
    """The pessimistic choice is the minimum of what is maximized."""
    choice, sign = loss.surrogate.choice, loss.surrogate.sign
    if (choice, sign) not in (("min", 1), ("max", -1)) or _maximizes():
        return
    says = say("wrong-choice-minimized") if sign > 0 else say("wrong-choice-negated")
    yield loss.hit(says, where=loss.where)


def _maximizes() -> bool:
    return any(group.get("maximize") for each in optimizers() for group in each.param_groups)
