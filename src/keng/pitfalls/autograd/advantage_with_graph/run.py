"""A running program: an advantage in a clipped policy loss has a gradient."""

from __future__ import annotations

from keng.model import Hits, say
from keng.rules import watches
from keng.run.facts.policy_losses import PolicyLoss


@watches(PolicyLoss)
def advantage_learns(loss: PolicyLoss) -> Hits:
    if loss.surrogate.graph:
        yield loss.hit(say("clipped-loss-trains-critic"), where=loss.where)
