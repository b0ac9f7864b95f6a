"""The ranks of a job: names have other numbers, or another order, on each rank."""

from __future__ import annotations

from keng.model import Hits, say
from keng.ranks.calls import spoken
from keng.ranks.reports import Ranks
from keng.rules import compares


@compares
def order_differs(ranks: Ranks) -> Hits:
    if ranks.first is None or not ranks.trains_together:
        return
    found = list(ranks.orders_differing())
    # A dict follows the list that it is made from.
    lists = [each for each in found if ranks.first.orders[each.name].kind == "list"]
    for each in lists or found:
        order = ranks.first.orders[each.name]
        given = {"name": each.name, "size": order.size, "ranks": spoken(each.others)}
        says = say("numbers-differ", **given)
        if order.kind == "list":
            says = say("list-order-differs", **given)
        yield ranks.hit(says, order.where)


@compares
def common_names_differ(ranks: Ranks) -> Hits:
    """Where the ranks do not have the same names, as of a vocabulary of each rank's own part."""
    if ranks.first is None or not ranks.trains_together:
        return
    for each in ranks.numbers_differing():
        given = {"name": each.name, "common": each.common, "differ": each.differ}
        one, two = each.ranks
        yield ranks.hit(say("common-numbers-differ", one=one, two=two, **given), each.where)


@compares
def stages_misfed(ranks: Ranks) -> Hits:
    for each in ranks.stages_misfed():
        one, two = each.ranks
        yield ranks.hit(say("stages-misfed", one=one, two=two, rows=each.rows), each.where)
        return


@compares
def joined_by_rank(ranks: Ranks) -> Hits:
    """Where the samples were dealt out to the ranks in turn."""
    for each in ranks.first.joined if ranks.first is not None else ():
        says = say("joined-by-rank", size=each.size, world=each.ranks)
        yield ranks.hit(says, each.where)
        return
