"""The ranks of a job: what the ranks average by hand is not all that they must share."""

from __future__ import annotations

from keng.model import Hits
from keng.ranks.calls import spoken
from keng.ranks.reports import Ranks, first_of
from keng.rules import compares

BY_LENGTH = {"SGD", "ASGD"}
"""Optimizers whose step is as long as the gradient; others divide by its size."""


@compares
def never_made_equal(ranks: Ranks) -> Hits:
    for each in ranks.reductions():
        found = [name for name in each.reduced if each.differs(name)]
        if found:
            model = each.first
            says = f"{first_of(found)} of `{model.name}` differs between the ranks, its gradient does not: "
            yield ranks.hit(
                f"{says}it was never made equal", model.where, step=ranks.step, differ=len(found)
            )


@compares
def left_out(ranks: Ranks) -> Hits:
    for each in ranks.reductions():
        model = each.first
        for name in each.own:
            ranks.since.setdefault((f"own gradients of {model.name}", name), ranks.step)
        # Alike when it was first left out, and no more: it is not kept alike in another way.
        since = {
            n: ranks.since.get((f"own gradients of {model.name}", n), 0) for n in model.gradients
        }
        found = [
            n for n, step in since.items() if step and n not in each.reduced and each.differs(n)
        ]
        if found and each.reduced:
            lacking = each.lacking(found[0])
            whose = f"is not there on {spoken(lacking)}" if lacking else "is each rank's own"
            says = f"the gradient of {first_of(found)} of `{model.name}` {whose}"
            rest = f"those of {len(each.reduced)} others are reduced over the ranks"
            yield ranks.hit(f"{says}, {rest}", model.where, since=since[found[0]])


@compares
def summed(ranks: Ranks) -> Hits:
    first = ranks.first
    if first is None or first.counts_ranks or first.adds_up:
        return
    for each in ranks.reductions():
        model = each.first
        if each.is_sum and model.optimizer in BY_LENGTH:
            says = f"the gradient of `{model.name}` is the sum over {ranks.world} ranks, and not divided"
            longer = f"steps of {model.optimizer} are {ranks.world} times as long"
            yield ranks.hit(f"{says}: {longer}", model.where)
