"""Error messages: not all processes came to the meeting point in time."""

from __future__ import annotations

from keng.explain.advice.processes import not_met
from keng.explain.advice.programs import unheard
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("not-all-joined")
def not_all_joined(failure: Failure) -> Hits:
    came, everyone = failure.groups["came"], failure.groups["all"]
    says = f"{came} of {everyone} processes came: one was not started, or cannot reach rank 0"
    if int(came) > int(everyone):
        says = f"{came} processes came where {everyone} belong together: another run, or what is left of one, has the same port or file, so another MASTER_PORT"
    yield failure.hit(says)


@explains("nobody-answers")
def nobody_answers(failure: Failure) -> Hits:
    address, port = failure.groups["address"], failure.groups["port"]
    if not failure.kind and failure.frames:
        return  # told on the way, beside an error of another kind
    yield failure.hit(not_met(address, port, failure.message))


@explains("no-meeting")
def no_meeting(failure: Failure) -> Hits:
    says = "torchrun did not find the others: the same --rdzv-endpoint on all machines, as 10.0.0.1:29500 of the first, and as many started as --nnodes says"
    if "ClosedError" in f"{failure.kind}{failure.message}":
        says = "another node has closed the meeting, as its processes failed or were done: its error stands first; a new try wants a new --rdzv-id"
    yield failure.hit(says)


@explains("peer-does-not-answer")
def peer_does_not_answer(failure: Failure) -> Hits:
    host, port = failure.groups["host"], failure.groups["port"]
    why = "it has ended, or a restart reads the addresses of the ranks before it"
    if host == "127.0.1.1":
        why = "it has ended, or is on another machine, whose /etc/hosts gives its name this address: GLOO_SOCKET_IFNAME"
    yield failure.hit(f"the rank at {host}:{port} does not answer: {why}")


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
        yield failure.hit(unheard(failure.groups["what"]))
