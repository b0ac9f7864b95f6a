"""Helpers that explain.py of several pitfalls of this group share."""

from __future__ import annotations

from collections.abc import Sequence


def unit_dimension_call(there: Sequence[int], here: Sequence[int]) -> str:
    """What takes a dimension of 1 off the longer, or gives it to the shorter."""
    long, short = sorted((list(there), list(here)), key=len, reverse=True)
    places = range(len(long) if len(long) == len(short) + 1 > 1 else 0)
    fits = [n for n in places if long[n] == 1 and long[:n] + long[n + 1 :] == short]
    what = "unsqueeze" if len(there) < len(here) else "squeeze"
    return f".{what}({fits[0]})" if fits else ""


def reordering_call(target: Sequence[int], given: Sequence[int]) -> str:
    """How two that hold as many values come to one form, where they differ in the order of two dimensions:
    a reshape would bring values to the wrong places."""
    if len(target) > 3 and [*target[:1], *target[-1:], *target[1:-1]] == list(given) != list(
        target
    ):
        return ".movedim(-1, 1)"
    if len(target) > 3 and [*target[:1], *target[2:], target[1]] == list(given) != list(target):
        return ".movedim(1, -1)"
    apart = [n for n, sizes in enumerate(zip(target, given, strict=False)) if len({*sizes}) > 1]
    if len(target) != len(given) or len(apart) != 2:
        return ""
    one, other = apart
    if (target[one], target[other]) != (given[other], given[one]):
        return ""
    if 1 not in (target[one], target[other]):
        return f".transpose({one}, {other})"
    there = one if target[one] == 1 else other
    here = other if there == one else one
    turned = f".transpose({one}, {other})"
    return f"{turned}, or unsqueeze({there}) where the output got its 1 by unsqueeze({here})"
