"""Error messages: a collective is called on some ranks only."""

from __future__ import annotations

from keng.explain.advice.processes import waited_in_vain
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("stood-still")
def stood_still(failure: Failure) -> Hits:
    says = waited_in_vain(failure.groups["op"], failure.groups["nth"])
    yield failure.hit(says, sure=False)


@explains("never-answered")
def never_answered(failure: Failure) -> Hits:
    says = f"no answer from another rank in {int(failure.groups['ms']) // 1000} s"
    yield failure.hit(
        f"{says}: it is in another collective, at work alone (a save, an evaluation), or gone; see its log",
        sure=False,
    )


@explains("timed-out")
def timed_out(failure: Failure) -> Hits:
    yield failure.hit(
        "a collective waited in vain: one rank did not come to it (a branch, another number of batches, a slow save), or "
        "has died; see what each rank did last"
    )


@explains("nothing-moves")
def nothing_moves(failure: Failure) -> Hits:
    rank, seconds = failure.groups.get("rank"), failure.groups.get("seconds")
    first = (
        f"{rank} ran into its time-out first"
        if rank
        else f"nothing moved for {seconds or 'some hundred'} s"
    )
    yield failure.hit(
        f"{first}: a rank waits in a collective to which another does not come, or hangs in a call of CUDA; "
        "TORCH_NCCL_HEARTBEAT_TIMEOUT_SEC where the wait is right"
    )
