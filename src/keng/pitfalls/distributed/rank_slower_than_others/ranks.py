"""The ranks of a job: the others wait for one that is slower."""

from __future__ import annotations

from keng.model import Hits, say
from keng.ranks.reports import Ranks
from keng.rules import compares


@compares
def slower(ranks: Ranks) -> Hits:
    slow = ranks.slow
    if slow is None:
        return
    milliseconds = 1000 * slow.pace.seconds / slow.pace.steps
    values = {
        "rank": slow.pace.rank,
        "host": slow.node,
        "delay": f"{slow.delay:.0%}",
        "step": f"{milliseconds:.0f}",
    }
    if slow.loads:
        loaded = f"{milliseconds * slow.data:.0f}"
        others = f"{milliseconds * slow.others_data:.0f}"
        says = say("loads-slower", **values, loaded=loaded, others=others)
        yield ranks.hit(says, slow.pace.loads)
        return
    if slow.is_crowded:
        queued = f"{milliseconds * slow.queued:.0f}"
        yield ranks.hit(
            say("waits-for-cpu", **values, queued=queued), slow.line or slow.pace.stepped
        )
        return
    if slow.is_blocked:
        blocked = f"{milliseconds * (slow.delay + slow.others_data - slow.data):.0f}"
        yield ranks.hit(
            say("waits-elsewhere", **values, blocked=blocked), slow.line or slow.pace.stepped
        )
        return
    works = f"{milliseconds * (slow.own - slow.data):.0f}"
    others = f"{milliseconds * (slow.others - slow.others_data):.0f}"
    says = say("works-slower", **values, works=works, others=others)
    yield ranks.hit(says, slow.line or slow.pace.stepped)
