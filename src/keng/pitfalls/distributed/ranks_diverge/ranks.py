"""The ranks of a job: the ranks no longer train the same model."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping

from keng.model import Hit, Hits, Message, Span, say
from keng.ranks.calls import spoken
from keng.ranks.manual_averaging import Reduction
from keng.ranks.reports import Difference, Ranks, Replica, first_of, minority
from keng.rules import compares
from keng.run.user_code import called, code_at, line


@compares
def replicas_differ(ranks: Ranks) -> Hits:
    for replica in ranks.replicated:
        what, found = ranks.parted_by(replica)
        # Where the model lacks gradients that it counts on, nothing is averaged: that is said instead.
        if not found or any(each.unused for each in ranks.of(replica).values()):
            continue
        follow = ranks.states_differing(replica) or list(ranks.settings_differing())
        if what == "parameters" and follow:
            continue
        names, others = first_of(each.name for each in found), spoken(found[0].others)
        given = {"names": names, "model": replica.name, "ranks": others}
        says, where = say("parameters-differ", **given), replica.where
        joined = _join_around(replica.stepped)
        if what == "gradients":
            says, where = _not_averaged(ranks.of(replica).values(), given)
        elif joined is not None and len({told.step for told in ranks.told.values()}) > 1:
            says, where = say("states-part-in-join", **given), joined
        yield ranks.hit(says, where, since=found[0].since, differ=len(found))


def _join_around(stepped: Span | None) -> Span | None:
    """The line of the `with Join(...)` in which the optimizer steps: a rank that is out of inputs does not."""
    code = code_at(stepped.path) if stepped is not None else None
    if code is None or stepped is None:
        return None
    blocks = [each for each in code.of(ast.With) if any(map(_joins, each.items))]
    around = [each for each in blocks if each.lineno <= stepped.line <= (each.end_lineno or 0)]
    return line(code, around[-1]) if around else None


def _joins(item: ast.withitem) -> bool:
    return isinstance(item.context_expr, ast.Call) and called(item.context_expr) == "Join"


def _not_averaged(of: Iterable[Replica], given: Mapping[str, str]) -> tuple[Message, Span | None]:
    """Why the gradients of a model in a wrapper differ at the step, and the line that does it."""
    for each in of:
        if each.past:
            return say("gradients-differ-past-wrapper", **given), each.past
        if each.hooked:
            return say("gradients-differ-in-hook", **given), each.hooked
        if each.taken:
            return say("gradients-differ-as-taken", **given), each.taken
    return say("gradients-differ-at-step", **given), each.stepped


@compares
def states_differ(ranks: Ranks) -> Hits:
    """Where a checkpoint of the optimizer was loaded on some ranks."""
    for replica in ranks.replicated:
        found = ranks.states_differing(replica)
        if found:
            names, others = first_of(each.name for each in found), spoken(found[0].others)
            says = say("state-differs", names=names, model=replica.name, ranks=others)
            yield ranks.hit(says, replica.stepped, differ=len(found))


@compares
def buffers_differ(ranks: Ranks) -> Hits:
    for replica in ranks.replicated:
        # Only those that stay as they are: a statistic of each rank's own data moves.
        found = ranks.differing_in(replica, "buffers")
        if found:
            names, others = first_of(each.name for each in found), spoken(found[0].others)
            says = say("buffer-differs", names=names, model=replica.name, ranks=others)
            yield ranks.hit(says, replica.where, differ=len(found))


@compares
def statistics_of_first_rank(ranks: Ranks) -> Hits:
    """Running means of a model in DistributedDataParallel by which it computes."""
    for replica in ranks.replicated:
        found = ranks.differing_in(replica, "statistics")
        if found:
            names, others = first_of(each.name for each in found), spoken(found[0].others)
            given = {"names": names, "model": replica.name, "ranks": others}
            says = say("statistic-differs", **given)
            if replica.broadcasts:
                says = say("statistic-of-first-rank", **given)
            yield ranks.hit(says, replica.where, differ=len(found))


@compares
def settings_differ(ranks: Ranks) -> Hits:
    for replica in ranks.replicated[:1]:
        for setting in ranks.settings_differing():
            yield _setting_differs(ranks, setting, replica.stepped)
    for each in ranks.reductions():
        for setting in ranks.settings_of(each) if each.reduced else ():
            yield _setting_differs(ranks, setting, each.first.where)


def _setting_differs(ranks: Ranks, setting: Difference, where: Span | None) -> Hit:
    values = setting.values
    says = say(
        "setting-differs",
        setting=setting.name,
        here=f"{values[min(values)]:g}",
        there=f"{values[setting.others[0]]:g}",
        ranks=spoken(setting.others),
    )
    return ranks.hit(says, where, since=setting.since)


@compares
def gradients_changed(ranks: Ranks) -> Hits:
    """Where the program averages them itself."""
    for each in ranks.reductions():
        model, names = each.first, list(each.changed)
        if names:
            others = spoken(minority(each.changed[names[0]]))
            given = {"names": first_of(names), "model": model.name, "ranks": others}
            yield ranks.hit(say("gradients-changed", **given), model.where, differ=len(names))


@compares
def buffers_differ_by_hand(ranks: Ranks) -> Hits:
    for each in ranks.reductions():
        found = list(ranks.buffers_of(each)) if each.reduced or each.called else []
        if found:
            names, others = first_of(d.name for d in found), spoken(found[0].others)
            says = say("buffer-differs", names=names, model=each.first.name, ranks=others)
            yield ranks.hit(says, each.first.where, differ=len(found))


@compares
def statistics_differ(ranks: Ranks) -> Hits:
    """Running means by which a model computes, where the gradients are averaged by the program itself."""
    for each in ranks.reductions():
        shared = each.reduced or each.called
        by_rank = {rank: model.statistics for rank, model in each.of.items()}
        found = list(ranks.differing_by(f"statistics of {each.first.name}", by_rank))
        if shared and found:
            names, others = first_of(d.name for d in found), spoken(found[0].others)
            says = say("statistic-differs", names=names, model=each.first.name, ranks=others)
            yield ranks.hit(says, each.first.where, differ=len(found))


@compares
def copies_differ(ranks: Ranks) -> Hits:
    """Where layers are sharded, the ranks need the same values of what is not."""
    for each in ranks.reductions():
        if copies := each.parted_copies():
            others = spoken(minority(next(iter(copies.values()))))
            given = {"names": first_of(copies), "model": each.first.name, "ranks": others}
            yield ranks.hit(say("copies-differ", **given), each.first.where, differ=len(copies))


@compares
def replicas_part(ranks: Ranks) -> Hits:
    """The same for layers that the program splits itself: copies are what was alike at first."""
    for each in ranks.reductions():
        alike = f"copies in {_known_as(each)}"
        differ, of_parts = each.parted_replicas(), {}
        if not differ and _has_shards(ranks, each):
            of_parts = each.parted_shards()
        for name in each.first.gradients:
            if not each.differs(name):
                ranks.since.setdefault((alike, name), ranks.step)
        parted = differ or of_parts
        found = [name for name in parted if ranks.since.get((alike, name))]
        if found and not each.reduced and not each.parted_copies():
            others = spoken(minority(parted[found[0]]))
            given = {"names": first_of(found), "model": each.first.name, "ranks": others}
            says = say("replicas-part", **given) if differ else say("parts-of-input", **given)
            yield ranks.hit(says, each.first.where, differ=len(found))


def _known_as(each: Reduction) -> str:
    """One variable may hold several models, such as a whole one and then its parts."""
    size = sum(gradient.numbers for gradient in each.first.gradients.values())
    return f"{each.first.name} of {size}"


def _has_shards(ranks: Ranks, each: Reduction) -> bool:
    """Whether some parameters differed at the first comparison, while others did not: parts of layers."""
    first = f"first of {_known_as(each)}"
    for name in each.first.gradients:
        ranks.since.setdefault((first, name), ranks.step if each.differs(name) else 0)
    at = [ranks.since[first, name] for name in each.first.gradients]
    return any(at) and not all(at)


@compares
def ties_part(ranks: Ranks) -> Hits:
    """Where the stages of a pipeline share a parameter, each holds a copy with its own gradient."""
    for tie in ranks.tied():
        ranks.since.setdefault(("tied", f"{tie.one} {tie.name} {tie.two} {tie.other}"), ranks.step)
    for (kind, names), _ in list(ranks.since.items()):
        if kind == "tied":
            one, name, two, other = names.split(" ")
            given = {int(one): name, int(two): other}
            models = {rank: ranks.held(rank, name) for rank, name in given.items()}
            here, there = models.values()
            if (
                here
                and there
                and here.gradients[name].parameter != there.gradients[other].parameter
            ):
                says = say("ties-part", name=name, one=one, other=other, two=two)
                yield ranks.hit(says, here.where)


@compares
def shadows_differ(ranks: Ranks) -> Hits:
    """Such as an average of the weights that was copied before the ranks had the same ones."""
    for each in ranks.shadows_differing():
        says = say("shadow-differs", name=each.name, ranks=spoken(each.others))
        yield ranks.hit(says, ranks.first.stepped if ranks.first else None)


@compares
def stepped_by_some(ranks: Ranks) -> Hits:
    some = ranks.without_steps()
    first = next((told for told in ranks.told.values() if told.rank not in some), None)
    if some and first is not None:
        says = say(
            "stepped-by-some",
            rank=first.rank,
            steps=first.step,
            ranks=spoken(some),
            backwards=ranks.told[some[0]].backwards,
        )
        yield ranks.hit(says, first.stepped)


@compares
def weights_of_steps(ranks: Ranks) -> Hits:
    """At the end, such as the best ones that each rank has kept by a metric of its own."""
    for name, each in ranks.returned_apart():
        (here, first), *others = each.items()
        there, other = next((r, s) for r, s in others if s.step != first.step)
        says = say(
            "weights-of-steps", name=name, here=here, step=first.step, there=there, other=other.step
        )
        yield ranks.hit(says, first.where, steps=first.of)


@compares
def statistics_recomputed(ranks: Ranks) -> Hits:
    for name, first in ranks.recomputed_apart():
        yield ranks.hit(say("statistics-recomputed", name=name), first.where)
