"""Error messages: not all processes came to the meeting point in time."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, Message, say
from keng.rules import explains

HERE = re.compile(r"localhost|127\.\d+\.\d+\.\d+|::1")


@explains("not-all-joined")
def not_all_joined(failure: Failure) -> Hits:
    came, everyone = failure.groups["came"], failure.groups["all"]
    says = say("too-few-processes", came=came, all=everyone)
    if int(came) > int(everyone):
        says = say("too-many-processes", came=came, all=everyone)
    yield failure.hit(says)


@explains("nobody-answers")
def nobody_answers(failure: Failure) -> Hits:
    address, port = failure.groups["address"], failure.groups["port"]
    if not failure.kind and failure.frames:
        return  # told on the way, next to an error of another kind
    yield failure.hit(_not_met(address, port, failure.message))


@explains("no-meeting")
def no_meeting(failure: Failure) -> Hits:
    closed = "ClosedError" in f"{failure.kind}{failure.message}"
    yield failure.hit(say("another-node-closed") if closed else say("no-rendezvous"))


@explains("peer-does-not-answer")
def peer_does_not_answer(failure: Failure) -> Hits:
    host, port = failure.groups["host"], failure.groups["port"]
    says = say("peer-does-not-answer", host=host, port=port)
    if host == "127.0.1.1":
        says = say("peer-under-local-name", host=host, port=port)
    yield failure.hit(says)


@explains("waited-for-by-name")
def waited_for_by_name(failure: Failure) -> Hits:
    seconds, key = int(failure.groups["ms"]) / 1000, failure.groups.get("key", "")
    if key:
        yield failure.hit(say("key-not-written", key=key, seconds=f"{seconds:g}"))
    else:
        ranks = failure.groups["ranks"]
        yield failure.hit(say("ranks-did-not-come", ranks=ranks, seconds=f"{seconds:g}"))


@explains("store-does-not-answer")
def store_does_not_answer(failure: Failure) -> Hits:
    if failure.kind in ("RuntimeError", "ValueError"):
        yield failure.hit(_unheard(failure.groups["what"]))


def _not_met(address: str, port: str, message: str) -> Message:
    """About a store of rank 0 that does not answer."""
    if "10049" in message:
        return say("windows-tries-next-address", address=address)
    if HERE.fullmatch(address):
        return say("local-rank-0-absent", address=address, port=port)
    if re.search(r"refused|errno: 111\b", message):
        return say("port-refused", address=address, port=port)
    return say("rank-0-absent", address=address, port=port)


def _unheard(what: str) -> Message:
    """Why nothing is heard of rank 0, by what the system said of it."""
    if what.startswith("host"):
        return say("host-not-found")
    return say("no-route") if what.startswith("N") else say("store-does-not-answer")
