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
        if found and not list(ranks.settings_of(each)):  # which parameters follow
            model = each.first
            says = say("never-made-equal", names=first_of(found), model=model.name)
            yield ranks.hit(says, model.where, step=ranks.step, differ=len(found))


@compares
def summed_with_others(ranks: Ranks) -> Hits:
    """Who averages gradients holds the same parameters: each part of a layer has copies of its own."""
    for each in ranks.reductions():
        found = list(each.summed_with_others())
        if found:
            names = first_of(name for name, _, _ in found)
            _, group, copies = found[0]
            says = say(
                "summed-with-other-parts",
                names=names,
                model=each.first.name,
                ranks=spoken(group),
                others=spoken(copies),
            )
            yield ranks.hit(says, each.first.where, step=ranks.step)


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
            yield ranks.hit(says, model.summed_at or model.where, since=since[found[0]])


@compares
def parameters_left_out(ranks: Ranks) -> Hits:
    """Where models are averaged, not gradients."""
    for each in ranks.reductions():
        model = each.first
        alike = f"alike in {model.name}"
        for name in model.gradients:
            if not each.differs(name):
                ranks.since.setdefault((alike, name), ranks.step)
        # Alike at first: an expert of each rank's own never was.
        found = [name for name in each.left_out if ranks.since.get((alike, name))]
        if found:
            says = say(
                "parameter-not-averaged",
                names=first_of(found),
                model=model.name,
                others=len(each.averaged),
            )
            yield ranks.hit(says, model.summed_at or model.where, step=ranks.step)


@compares
def summed(ranks: Ranks) -> Hits:
    first = ranks.first
    if first is None or first.counts_ranks or first.adds_up:
        return
    for each in ranks.reductions():
        model = each.first
        # Of parts of one input, which the ranks exchange in `forward`, the sum is the gradient.
        if each.is_sum and model.optimizer in BY_LENGTH and model.fed is None:
            says = say(
                "sum-not-divided", model=model.name, world=ranks.world, optimizer=model.optimizer
            )
            yield ranks.hit(says, model.summed_at or model.where)


@compares
def left_out_of_groups(ranks: Ranks) -> Hits:
    """Where groups of ranks hold copies of the same part."""
    for each in ranks.reductions():
        found: dict[tuple[int, ...], list[str]] = {}
        for name, group in each.left_out_of_groups():
            alike = f"alike in {each.first.name} on {spoken(group)}", name
            if not each.differs_in(group, name):
                ranks.since.setdefault(alike, ranks.step)
            elif ranks.since.get(alike):
                found.setdefault(group, []).append(name)
        for group, names in found.items():
            given = {"names": first_of(names), "model": each.first.name, "ranks": spoken(group)}
            yield ranks.hit(say("not-reduced-in-group", **given), each.first.where, step=ranks.step)
            break


@compares
def averaged_after_step(ranks: Ranks) -> Hits:
    for each in ranks.reductions():
        if all(model.late for model in each.of.values()):
            given = {"model": each.first.name, "optimizer": each.first.optimizer}
            yield ranks.hit(say("averaged-after-step", **given), each.first.where)
