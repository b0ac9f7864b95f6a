"""Error messages: a DataLoader's worker was ended from outside."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

BY_SIGNAL = {
    "Killed": "the kernel does that when memory is out: `dmesg -T` tells, and fewer workers need less, or a "
    "container is given more",
    "Segmentation fault": "a compiled library crashed in it: num_workers=0 and `python -X faulthandler` "
    "show where",
    "Aborted": "a compiled library gave up in it: what it printed stands above",
    "Illegal instruction": "a compiled library is built for another processor: `python -X faulthandler` "
    "shows which",
    "Terminated": "somebody ended it: a scheduler, a time limit, or the end of the main process",
}
KILLED = (
    "killed for memory (`dmesg -T` tells) or for a small /dev/shm in a container, or crashed (num_workers=0 "
    "shows it)"
)
UNGUARDED = 'under Windows mostly as what runs is not below if __name__ == "__main__":'


@explains("signal-told")
def signal_told(failure: Failure) -> Hits:
    pid, signal = failure.groups["pid"], failure.groups["signal"]
    cause = BY_SIGNAL.get(signal, "the system's log may tell by whom")
    who = f"worker {pid}" if pid.isdigit() else "a worker"
    yield failure.hit(f"{who} was ended by the signal {signal!r}: {cause}")


@explains("crash-told")
def crash_told(failure: Failure) -> Hits:
    says = "a {signal} in a worker: {cause}"
    yield failure.hit(says.format(cause=BY_SIGNAL["Segmentation fault"], **failure.groups))


@explains("gone")
def gone(failure: Failure) -> Hits:
    yield failure.hit(_gone_for(failure, failure.groups["pids"]))


@explains("left")
def left(failure: Failure) -> Hits:
    says = "worker {pid} ended by itself with exit code {code}, and its error is lost"
    yield failure.hit(f"{says.format(**failure.groups)}: num_workers=0 shows it")


@explains("handed-over-by-windows")
def handed_over_by_windows(failure: Failure) -> Hits:
    yield failure.hit(say("under-windows-worker-could", code=failure.groups["code"]))


def _gone_for(failure: Failure, pids: str) -> str:
    """Why workers may have ended without a word. Several at once have not begun, as where each would start
    its own."""
    who, paths = f"worker {pids} is gone without a word", [frame.path for frame in failure.frames]
    if any("\\" in path for path in paths):
        return f"{who}: {UNGUARDED}, or an import fails there; num_workers=0 shows it"
    return f"{who}: {KILLED}; {UNGUARDED}" if "," in pids and not paths else f"{who}: {KILLED}"
