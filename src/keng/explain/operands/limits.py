"""Settings whose value and limit a message has: `stride should be greater than zero, but got 0`."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable

from keng._util.texts import sentence
from keng.model import Message

NUMBERS = {"zero": 0, "one": 1}
SIGNS: dict[str, tuple[str, Callable[[float, float], bool]]] = {
    "above": (">", operator.gt),
    "least": (">=", operator.ge),
    "below": ("<", operator.lt),
    "most": ("<=", operator.le),
}
LIMIT = re.compile(
    r"\b(?P<name>[a-z_]{3,40})\s(?:should|must|has\sto|needs\sto)\sbe\s(?:(?P<above>(?:greater|larger)\sthan)"
    r"|(?P<below>(?:less|smaller)\sthan)|(?P<least>at\sleast)|(?P<most>at\smost))\s"
    r"(?P<limit>zero|one|-?\d{1,9}(?:\.\d{1,9})?)\b(?P<rest>.{0,200})"
)
VALUE = re.compile(r"(?P<name>[a-z_]{2,40}): ?(?P<value>-?\d{1,9}(?:\.\d{1,9})?)\b")
CAME = re.compile(r"\b(?:got|is|was) (?P<value>-?\d{1,9}(?:\.\d{1,9})?)\b")
NOT_NAMES = frozenset({"value", "values", "size", "input", "number", "tensor", "they", "which"})


def limit_broken(message: str, around: str) -> Message | None:
    """The setting, its value, what it must be, and how the text around passes it."""
    found = LIMIT.search(message)
    if found is None or found["name"] in NOT_NAMES:
        return None
    sign, holds = next(SIGNS[key] for key in SIGNS if found[key])
    limit = float(NUMBERS.get(found["limit"], found["limit"]))
    came = [float(each["value"]) for each in VALUE.finditer(found["rest"])]
    came = came or [float(each["value"]) for each in CAME.finditer(found["rest"])][:1]
    broken = [value for value in came if not holds(value, limit)]
    if not broken:
        return None
    values = {"name": found["name"], "value": f"{broken[0]:g}", "limit": f"{sign} {limit:g}"}
    given = {each[0] for each in _given(found["name"], f"{around} {found['rest']}")}
    if len(given) == 1:
        return sentence("limit_broken_by", **values, text=given.pop())
    return sentence("limit_broken", **values)


def _given(name: str, text: str) -> list[re.Match[str]]:
    """`stride=(0, 1)`"""
    pattern = rf"\b{re.escape(name)}=(?:\([-\d., ]{{1,60}}\)|\[[-\d., ]{{1,60}}\]|-?[\d.]{{1,20}})"
    return list(re.finditer(pattern, text))
