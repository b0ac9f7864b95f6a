"""Error messages: a collective is called on some ranks only."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("stood-still")
def stood_still(failure: Failure) -> Hits:
    says = _waited_in_vain(failure.groups["op"], failure.groups["nth"])
    yield failure.hit(says, sure=False)


@explains("never-answered")
def never_answered(failure: Failure) -> Hits:
    says = f"no answer from another rank in {int(failure.groups['ms']) // 1000} s"
    yield failure.hit(
        say("another-collective-at-work", says=says),
        sure=False,
    )


@explains("timed-out")
def timed_out(failure: Failure) -> Hits:
    yield failure.hit(say("collective-waited-vain-one"))


@explains("nothing-moves")
def nothing_moves(failure: Failure) -> Hits:
    rank, seconds = failure.groups.get("rank"), failure.groups.get("seconds")
    first = (
        f"{rank} ran into its time-out first"
        if rank
        else f"nothing moved for {seconds or 'some hundred'} s"
    )
    yield failure.hit(say("rank-waits-collective-another", first=first))


def _waited_in_vain(op: str, number: str) -> str:
    """One line about a collective that ran into its time-out, by its number where the message has it."""
    if number in ("0", "1"):
        return (
            f"the first {op} of all never ended: rank 0 works alone before it (a download, data: "
            "timeout=), or the cards do not reach each other: NCCL_DEBUG=INFO, NCCL_P2P_DISABLE=1 as a test"
        )
    return (
        f"some ranks never came to the {op} that others waited in: a branch, fewer batches, a slow save "
        "(timeout=), or an error that stands before; `keng run` under torchrun names the lines"
    )
