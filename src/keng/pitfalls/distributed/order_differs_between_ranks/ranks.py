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
