"""Error messages: nCCL, which carries data between GPUs, failed."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, Message, say
from keng.rules import explains

CAUSES = {
    "system": say("nccl-system-error"),
    "cuda": say("nccl-cuda-error"),
    "usage": say("nccl-usage-error"),
    "argument": say("nccl-usage-error"),
    "internal": say("nccl-internal-error"),
    "remote": say("nccl-remote-error"),
}
"""A word of what NCCL calls its failure -> what is behind it most often."""
LAST = re.compile(r"Last error:\s{1,9}(?P<said>\S[^\n]{3,160})")


@explains("says-little")
def says_little(failure: Failure) -> Hits:
    if "Duplicate GPU" not in failure.message:
        yield failure.hit(_of_nccl(failure.groups["what"], failure.message))


@explains("the-other-side-is-gone")
def the_other_side_is_gone(failure: Failure) -> Hits:
    why = failure.groups["why"].lower()
    busy = "timeout" in why
    yield failure.hit(say("rank-0-busy", why=why) if busy else say("rank-0-died", why=why))


@explains("says-less")
def says_less(failure: Failure) -> Hits:
    if "Duplicate GPU" not in failure.message and "NCCL error in" not in failure.message:
        what = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", failure.groups["what"]).lower()
        yield failure.hit(_of_nccl(what, failure.message))


@explains("address-not-reached")
def address_not_reached(failure: Failure) -> Hits:
    why, where = failure.groups["why"].split(",")[0].lower(), failure.groups.get("where")
    through = failure.groups.get("infiniband", "")
    yield failure.hit(_not_reached(where or "", why, through))


@explains("no-room-in-shm")
def no_room_in_shm(failure: Failure) -> Hits:
    mib = int(failure.groups["bytes"]) >> 20
    yield failure.hit(say("shm-too-small", size=mib))


def _of_nccl(what: str, message: str) -> Message:
    """About a failure of NCCL, which it calls "unhandled system error"."""
    last = LAST.search(message)
    cause = next((cause for word, cause in CAUSES.items() if word in what), None)
    said = f"{what}, {last['said'].strip()}" if last is not None else what
    return say("nccl-failed", what=said, cause=cause or say("nccl-unknown-error"))


def _not_reached(where: str, why: str, through: str) -> Message:
    """About an address that NCCL does not reach, `why` in its words; `through` is InfiniBand."""
    if "no socket interface" in why:
        return say("no-network-interface")
    if through:
        return say("infiniband-failed", why=why)
    if re.search(r"closed by|reset by|broken pipe", why):
        named = say("rank-gone", where=where, why=why)
        return named if where else say("other-rank-gone", why=why)
    named = say("address-not-reached", where=where, why=why)
    return named if where else say("ranks-not-reached", why=why)
