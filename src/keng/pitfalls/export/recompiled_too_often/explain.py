"""Error messages: a compiled function is compiled again and again."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
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
    name, times = failure.groups.get("name") or "a function", failure.groups["n"]
    why = _changing(failure.message)
    yield failure.hit(say("was-compiled-times-runs", why=name, times=times, why_2=why))


@explains("refused")
def refused(failure: Failure) -> Hits:
    yield failure.hit(say("compiled-again-every-call", why=_changing(failure.message)))


def _changing(message: str) -> str:
    """What differs in every call of a compiled function, and what to do, by the guard that failed."""
    more, found = _more(message), REASON.search(message)
    why = found["why"].strip() if found else ""
    if "failed on a parameter" in message:
        return f"as parameters of several shapes go through it: {more} where they are few"
    if size := SIZE.search(why):
        name, at = size["name"], size["at"]
        way = f"dynamic=True, or torch._dynamo.mark_dynamic({name}, {at})"
        shared = f"{more} where layers of several sizes share this code"
        return f"as dimension {at} of `{name}` changes: {way}; {shared}"
    if length := LENGTH.search(why):
        return f"as `{length['name']}` has another length each time: one padded tensor in place of a list"
    if equal := EQUAL.match(why):
        name = f"{equal['name'] or equal['plain']}{equal['part']}"
        way = f"a tensor in place of a number, or {more} where objects of several values share this code"
        return f"as `{name}` has another value each time: {way}"
    if OTHERS.search(why):
        return f"as calls of several kinds come ({why}): {more} for few of them"
    return (
        "as something changes: TORCH_LOGS=recompiles names it; dynamic=True for sizes, a tensor for "
        "a number"
    )


def _more(message: str) -> str:
    """The option that allows more kinds of calls, by its name in this version."""
    hit = HIT.search(message)
    wanted = max(64, 4 * int(hit["now"])) if hit else 64
    name = "cache_size_limit" if "cache_size_limit" in message else "recompile_limit"
    return f"torch._dynamo.config.{name} = {wanted}"
