"""The ranks of a job: the ranks call different collectives, or not the same number of them."""

from __future__ import annotations

from collections.abc import Sequence

from keng.model import Fix, Hits, Message, say
from keng.pitfalls.distributed._shared_ranks import call_of, sides_of
from keng.ranks.calls import Parting, Side, place, spoken
from keng.ranks.reports import Ranks
from keng.rules import compares


@compares
def apart(ranks: Ranks) -> Hits:
    parting = ranks.parting
    if parting is None or parting.broken or parting.alone or not parting.sure:
        return
    ahead = parting.ahead
    at_it = [side for side in parting.sides if side.collective and side is not ahead]
    gone = [side for side in parting.sides if side.gone and not side.collective]
    makers = [side for side in parting.sides if side.makes_group]
    made = [side for side in (*at_it, *parting.sides) if side.collective]
    where = next((side.where for side in (*makers, *made)), None)
    fix = None
    if makers:
        fix = Fix(say("same-groups"), (), "shown")
    elif ahead is not None or gone:
        fix = Fix(say("equal-batches"), (), "shown")
    says = _told_apart(parting, at_it, gone)
    yield ranks.hit(says, where, fix=fix, call=parting.number)


def _told_apart(parting: Parting, at_it: Sequence[Side], gone: Sequence[Side]) -> Message:
    number, ahead = parting.number, parting.ahead
    if ahead is not None and ahead.left and at_it:
        return say(
            "loop-left-early",
            ranks=spoken(ahead.ranks),
            line=ahead.left.line,
            call=call_of(ahead.collective, ahead.where),
            others=sides_of(at_it),
        )
    if gone and at_it:
        return say("ended-before-call", gone=sides_of(gone), number=number, others=sides_of(at_it))
    sides = sides_of(parting.sides)
    if parting.swapped:
        return say("calls-in-two-orders", first=number, second=number + 1, sides=sides)
    return say("calls-differ", number=number, sides=sides)


@compares
def aborted(ranks: Ranks) -> Hits:
    """Gloo ends a process whose message does not fit the call that another rank is in."""
    parting = ranks.parting
    side = parting and (parting.aborted or parting.aborted_alike)
    if parting is None or side is None or side.where is None:
        return
    at_it = [each for each in parting.sides if each.collective]
    given = {"ranks": spoken(side.ranks), "place": place(side.where), "others": sides_of(at_it)}
    if parting.aborted:
        says, cure = say("aborted-in-another-call", **given), say("same-calls")
    else:
        says, cure = say("aborted-in-same-line", **given), say("same-sizes")
    yield ranks.hit(says, side.where, fix=Fix(cure, (), "shown"))


@compares
def values_mixed(ranks: Ranks) -> Hits:
    for call in ranks.mixed():
        first, *_ = call.by_rank.values()
        others = {rank: each for rank, each in call.by_rank.items() if each.text != first.text}
        other = min(others)
        yield ranks.hit(
            say(
                "values-mixed",
                number=call.number,
                here=first.text,
                ranks=spoken(others),
                there=others[other].text,
            ),
            first.where,
            fix=Fix(say("same-order"), (), "shown"),
            call=call.number,
        )


@compares
def arguments_differ(ranks: Ranks) -> Hits:
    for call in ranks.unlike():
        first, *_ = call.by_rank.values()
        others = {rank: each for rank, each in call.by_rank.items() if each.given != first.given}
        other = others[min(others)]
        says = say(
            "arguments-differ",
            number=call.number,
            text=first.text.partition(" < ")[0],
            here=first.given,
            ranks=spoken(others),
            there=other.given,
        )
        yield ranks.hit(says, first.where, call=call.number)
    waiting = ranks.stall.unlike_arguments if ranks.stall is not None else {}
    for at in list(waiting.values())[:1]:
        unlike = {rank: each for rank, each in waiting.items() if each.given != at.given}
        says = say(
            "arguments-differ",
            number=at.waits[0].number,
            text=str(at.waits[0].collective),
            here=at.given,
            ranks=spoken(unlike),
            there=unlike[min(unlike)].given,
        )
        yield ranks.hit(says, at.where, call=at.waits[0].number)


@compares
def groups_differ(ranks: Ranks) -> Hits:
    for first, last in ranks.stall.unlike_groups if ranks.stall is not None else ():
        yield ranks.hit(
            say(
                "groups-in-different-order",
                first=first.rank,
                number=first.group_awaited,
                last=last.rank,
                other=last.group_awaited,
            ),
            first.where,
            fix=Fix(say("same-groups"), (), "shown"),
        )
