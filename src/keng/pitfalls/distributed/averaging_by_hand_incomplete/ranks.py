"""The ranks of a job: what the ranks average by hand is not all that they must share."""

from __future__ import annotations

from keng.model import Hits, say
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
            says = say("never-made-equal", names=first_of(found), model=model.name)
            yield ranks.hit(says, model.where, step=ranks.step, differ=len(found))


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
            names, others = first_of(found), len(each.reduced)
            says = say("gradient-not-reduced", names=names, model=model.name, others=others)
            if lacking:
                says = say(
                    "gradient-missing-on",
                    names=names,
                    model=model.name,
                    ranks=spoken(lacking),
                    others=others,
                )
            yield ranks.hit(says, model.where, since=since[found[0]])


@compares
def summed(ranks: Ranks) -> Hits:
    first = ranks.first
    if first is None or first.counts_ranks or first.adds_up:
        return
    for each in ranks.reductions():
        model = each.first
        if each.is_sum and model.optimizer in BY_LENGTH:
            says = say(
                "sum-not-divided", model=model.name, world=ranks.world, optimizer=model.optimizer
            )
            yield ranks.hit(says, model.where)
