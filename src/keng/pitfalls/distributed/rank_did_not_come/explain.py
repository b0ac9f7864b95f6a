"""Error messages: not all processes came to the meeting point in time."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

HERE = re.compile(r"localhost|127\.\d+\.\d+\.\d+|::1")


@explains("not-all-joined")
def not_all_joined(failure: Failure) -> Hits:
    came, everyone = failure.groups["came"], failure.groups["all"]
    says = say("processes-came-one-was", all=came, everyone=everyone)
    if int(came) > int(everyone):
        says = say("processes-came-where-belong", all=came, everyone=everyone)
    yield failure.hit(says)


@explains("nobody-answers")
def nobody_answers(failure: Failure) -> Hits:
    address, port = failure.groups["address"], failure.groups["port"]
    if not failure.kind and failure.frames:
        return  # told on the way, beside an error of another kind
    yield failure.hit(_not_met(address, port, failure.message))


@explains("no-meeting")
def no_meeting(failure: Failure) -> Hits:
    says = say("torchrun-did-not-find")
    if "ClosedError" in f"{failure.kind}{failure.message}":
        says = say("another-node-has-closed")
    yield failure.hit(says)


@explains("peer-does-not-answer")
def peer_does_not_answer(failure: Failure) -> Hits:
    host, port = failure.groups["host"], failure.groups["port"]
    why = "it has ended, or a restart reads the addresses of the ranks before it"
    if host == "127.0.1.1":
        why = "it has ended, or is on another machine, whose /etc/hosts gives its name this address: GLOO_SOCKET_IFNAME"
    yield failure.hit(say("rank-at-does-not", why=host, port=port, why_2=why))


@explains("waited-for-by-name")
def waited_for_by_name(failure: Failure) -> Hits:
    seconds, key = int(failure.groups["ms"]) / 1000, failure.groups.get("key", "")
    who = (
        f"nobody wrote `{key}` to the store"
        if key
        else f"rank {failure.groups['ranks']} did not come"
    )
    yield failure.hit(
        f"{who} in {seconds:g} s: it was not started, has died, or still works at what comes before; see its log"
    )


@explains("store-does-not-answer")
def store_does_not_answer(failure: Failure) -> Hits:
    if failure.kind in ("RuntimeError", "ValueError"):
        yield failure.hit(_unheard(failure.groups["what"]))


def _not_met(address: str, port: str, message: str) -> str:
    """One line about a store of rank 0 that does not answer."""
    if "10049" in message:
        return (
            f"Windows finds another address under the name {address} and goes on to the next: harmless "
            "where the run goes on, else MASTER_ADDR=127.0.0.1"
        )
    if HERE.fullmatch(address):
        return (
            f"{address}:{port} did not answer: rank 0 of this machine was not started or has ended, see "
            "its error; on several machines MASTER_ADDR is the first one's address"
        )
    if re.search(r"refused|errno: 111\b", message):
        return (
            f"{address} refuses port {port}: rank 0 is not started there, has ended, or listens at "
            "another port; see its log"
        )
    return f"{address}:{port} did not answer: rank 0 is not there, has died, or a firewall stands between"


def _unheard(what: str) -> str:
    """Why nothing is heard of rank 0, by what the system said of it."""
    if what.startswith("host"):
        return (
            "the name in MASTER_ADDR or init_method is not known on this machine: the IP address of the "
            "first one, without http://"
        )
    if what.startswith("N"):
        return (
            "no way leads from this machine to the address, or a firewall there refuses: an address that all "
            "nodes reach for MASTER_ADDR, and their interface for GLOO_SOCKET_IFNAME and NCCL_SOCKET_IFNAME"
        )
    return (
        "the store of rank 0 does not answer: rank 0 was not started (ranks count from 0), the address is "
        "another's, or a firewall stands between"
    )
