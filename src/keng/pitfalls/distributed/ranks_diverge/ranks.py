"""The ranks of a job: the ranks no longer train the same model."""

from __future__ import annotations

from keng.model import Hits, say
from keng.ranks.calls import spoken
from keng.ranks.reports import Ranks, first_of
from keng.rules import compares


@compares
def replicas_differ(ranks: Ranks) -> Hits:
    for replica in ranks.replicated:
        what, found = ranks.parted_by(replica)
        # Where the model lacks gradients that it counts on, nothing is averaged: that is said instead.
        if not found or any(each.unused for each in ranks.of(replica).values()):
            continue
        if what == "parameters" and list(ranks.settings_differing()):  # which they follow
            continue
        past = next((r.past for r in ranks.of(replica).values() if r.past), None)
        names, others = first_of(each.name for each in found), spoken(found[0].others)
        where = replica.where if what != "gradients" else past or replica.stepped
        given = {"names": names, "model": replica.name, "ranks": others}
        says = say("parameters-differ", **given)
        if what == "gradients" and past:
            says = say("gradients-differ-past-wrapper", **given)
        elif what == "gradients":
            says = say("gradients-differ-at-step", **given)
        yield ranks.hit(says, where, since=found[0].since, differ=len(found))


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
def settings_differ(ranks: Ranks) -> Hits:
    for replica in ranks.replicated[:1]:
        for setting in ranks.settings_differing():
            here, there = (ranks.told[r].settings[setting.name] for r in (0, setting.others[0]))
            says = say(
                "setting-differs",
                setting=setting.name,
                here=f"{here:g}",
                there=f"{there:g}",
                ranks=spoken(setting.others),
            )
            yield ranks.hit(says, replica.stepped, since=setting.since)
