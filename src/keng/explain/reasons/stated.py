"""A setting, its value and its limit, where the message itself has all three."""

from __future__ import annotations

import re

from keng.model import Accepted, Bound, Condition, Reason, Span, Traced

LONGEST = 1000
NUMBER = r"-?\d{1,18}(?:\.\d{1,18})?"
OVER = (
    r"exceeds?|is (?:larger|greater|bigger|longer|more|higher) than"
    r"|(?:must|has to|should) be (?:less than or equal to|at most|<=|no (?:more|larger|greater) than)"
)
UNDER = (
    r"is (?:smaller|less|lower|shorter|fewer) than"
    r"|(?:must|has to|should) be (?:greater than or equal to|at least|>=)"
)
STATED = re.compile(
    r"(?<![\w.])[`'\"]?(?P<name>[A-Za-z]+(?:_[A-Za-z0-9]+)+|--[a-z][\w-]+)[`'\"]?"
    rf"(?: of)? ?[(=:]? ?(?P<value>{NUMBER})\)?,? (?P<sign>{OVER}|{UNDER}) "
    rf"(?P<what>[^().;\d]{{0,60}}?) ?[(=:]? ?(?P<limit>{NUMBER})(?![\w%])"
)


def stated_in(message: str) -> Reason | None:
    """The reason in `max_num_seqs (1024) exceeds available Mamba cache blocks (969)`. The name of a setting
    has an underscore in it, as words have not."""
    found = STATED.search(message[:LONGEST])
    if found is None:
        return None
    value, limit = float(found["value"]), float(found["limit"])
    over = re.fullmatch(OVER, found["sign"]) is not None
    if (value <= limit) if over else (value >= limit):
        return None
    name, bound = found["name"], _bound(over)
    what = found["what"].removeprefix("the ").strip(" :=")
    return Reason(
        "stated",
        "",
        Span("", 0),
        (Condition(what),),
        Condition(found["limit"]),
        about=name,
        values=(Traced(name, found["value"]),),
        accepted=(Accepted(bound, name, found["limit"]),),
        sure=True,
    )


def _bound(over: bool) -> Bound:
    return "at_most" if over else "at_least"
