"""Helpers that explain.py of several pitfalls of this group share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


def unit_dimension_call(there: Sequence[int], here: Sequence[int]) -> str:
    """What takes a dimension of 1 off the longer, or gives it to the shorter."""
    long, short = sorted((list(there), list(here)), key=len, reverse=True)
    places = range(len(long) if len(long) == len(short) + 1 > 1 else 0)
    fits = [n for n in places if long[n] == 1 and long[:n] + long[n + 1 :] == short]
    what = "unsqueeze" if len(there) < len(here) else "squeeze"
    return f".{what}({fits[0]})" if fits else ""


def reordering_call(target: Sequence[int], given: Sequence[int]) -> Reordered | None:
    """How two that hold as many values come to one form, where they differ in the order of two dimensions:
    a reshape would bring values to the wrong places."""
    there, here = list(target), list(given)
    if len(there) > 3 and [*there[:1], *there[-1:], *there[1:-1]] == here != there:
        return Reordered(".movedim(-1, 1)")
    if len(there) > 3 and [*there[:1], *there[2:], there[1]] == here != there:
        return Reordered(".movedim(1, -1)")
    apart = [n for n, sizes in enumerate(zip(target, given, strict=False)) if len({*sizes}) > 1]
    if len(target) != len(given) or len(apart) != 2:
        return None
    one, other = apart
    if (target[one], target[other]) != (given[other], given[one]):
        return None
    form = f".transpose({one}, {other})"
    if 1 not in (target[one], target[other]):
        return Reordered(form)
    wanted = one if target[one] == 1 else other
    return Reordered(form, (other if wanted == one else one, wanted))


class Reordered(NamedTuple):
    """The call that exchanges dimensions. `unsqueezed` is set where a dimension of 1 may have been added in
    the wrong place: where it was, and where it belongs."""

    form: str
    unsqueezed: tuple[int, int] | None = None
