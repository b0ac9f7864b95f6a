"""A setting, its value and its limit, where the message itself has all three."""

from __future__ import annotations

import re

from keng.model import Accepted, Bound, Condition, Reason, Span, Traced

NUMBER = r"-?\d{1,18}(?:\.\d{1,18})?"
OVER = r"exceeds?|is (?:larger|greater|bigger|longer|more) than|(?:must|has to|should) be (?:less than or equal to|at most|<=|no (?:more|larger) than)|>"
UNDER = r"is (?:smaller|less|lower|shorter|fewer) than|(?:must|has to|should) be (?:greater than or equal to|at least|>=)|<"
STATED = re.compile(
    rf"[`'\"]?(?P<name>[A-Za-z]+(?:_[A-Za-z0-9]+)+|--[a-z][\w-]+)[`'\"]?(?: of)? ?[(=:]? ?(?P<value>{NUMBER})\)?,? "
    rf"(?P<sign>{OVER}|{UNDER}) (?:the )?(?P<what>[^().:;=\d]{{0,60}}?) ?[(=:]{{0,1}} ?(?P<limit>{NUMBER})(?=[\s).,;]|$)"
)
LONGEST = 1000


def stated_in(message: str) -> Reason | None:
    """`max_num_seqs (1024) exceeds available Mamba cache blocks (969)`: a setting has an underscore in its
    name, as words do not."""
    found = STATED.search(message[:LONGEST])
    if found is None:
        return None
    value, limit = float(found["value"]), float(found["limit"])
    over = re.fullmatch(OVER, found["sign"]) is not None
    if (value <= limit) if over else (value >= limit):
        return None
    name, bound = found["name"], "at_most" if over else "at_least"
    kind: Bound = "at_most" if bound == "at_most" else "at_least"
    what = found["what"].strip()
    condition = Condition(f"{what} {found['limit']}".strip())
    return Reason(
        "stated",
        "",
        Span("", 0),
        (condition,),
        about=name,
        values=(Traced(name, found["value"]),),
        accepted=(Accepted(kind, name, found["limit"]),),
        sure=True,
    )
