"""Error messages: a compiled function is compiled again and again."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, Message, say
from keng.rules import explains

REASON = re.compile(r"(?:last reason: \d+/\d+: |reasons: {1,4}(?:- )?)(?P<why>[^#\n]{3,200})")
SIZE = re.compile(
    r"tensor '?(?:L\[')?(?P<name>\w+)\S* (?:size|stride) mismatch at index (?P<at>\d+)"
)
LENGTH = re.compile(r"len\((?P<name>[^()]{1,60})\) == \d+")
EQUAL = re.compile(
    r"(?:L\['(?P<name>\w{1,60})'\]|(?P<plain>[A-Za-z_]\w{0,60}))"
    r"(?P<part>(?:\.\w{1,60}|\['?\w{1,60}'?\]){0,4}) == "
)
HIT = re.compile(r"config\.\w{5,40}_limit \((?P<now>\d{1,6})\)")
OTHERS = re.compile(r" mismatch|GLOBAL_STATE|___check|_modules\[|_parameters\[")


@explains("gave-up")
def gave_up(failure: Failure) -> Hits:
    name, times, cause = failure.groups.get("name"), failure.groups["n"], _changing(failure.message)
    known = say("gave-up", name=name, times=times, cause=cause)
    yield failure.hit(known if name else say("gave-up-on-function", times=times, cause=cause))


@explains("refused")
def refused(failure: Failure) -> Hits:
    yield failure.hit(say("compiled-in-every-call", cause=_changing(failure.message)))


def _changing(message: str) -> Message:
    """What differs in every call of a compiled function, and what to do, by the guard that failed."""
    (option, limit), found = _more(message), REASON.search(message)
    why = found["why"].strip() if found else ""
    if "failed on a parameter" in message:
        return say("parameters-of-several-shapes", option=option, limit=limit)
    if size := SIZE.search(why):
        name, at = size["name"], size["at"]
        return say("size-changes", name=name, at=at, option=option, limit=limit)
    if length := LENGTH.search(why):
        return say("length-changes", name=length["name"])
    if equal := EQUAL.match(why):
        name = f"{equal['name'] or equal['plain']}{equal['part']}"
        return say("value-changes", name=name, option=option, limit=limit)
    if OTHERS.search(why):
        return say("calls-of-several-types", why=why, option=option, limit=limit)
    return say("something-changes")


def _more(message: str) -> tuple[str, int]:
    """The option that allows more types of calls, by its name in this version, and a value for it."""
    hit = HIT.search(message)
    wanted = max(64, 4 * int(hit["now"])) if hit else 64
    return "cache_size_limit" if "cache_size_limit" in message else "recompile_limit", wanted
