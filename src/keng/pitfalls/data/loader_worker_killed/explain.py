"""Error messages: a DataLoader's worker was ended from outside."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, Message, say
from keng.rules import explains

BY_SIGNAL = {
    "Killed": say("killed-by-kernel"),
    "Segmentation fault": say("crashed-in-library"),
    "Aborted": say("aborted-by-library"),
    "Illegal instruction": say("library-of-another-processor"),
    "Terminated": say("ended-by-somebody"),
}


@explains("signal-told")
def signal_told(failure: Failure) -> Hits:
    pid, signal = failure.groups["pid"], failure.groups["signal"]
    advice = BY_SIGNAL.get(signal, say("ended-by-unknown"))
    if pid.isdigit():
        yield failure.hit(say("worker-ended-by-signal", pid=pid, signal=signal, advice=advice))
    else:
        yield failure.hit(say("some-worker-ended-by-signal", signal=signal, advice=advice))


@explains("gone")
def gone(failure: Failure) -> Hits:
    yield failure.hit(_gone_for(failure, failure.groups["pids"]))


def _gone_for(failure: Failure, pids: str) -> Message:
    """Why workers may have ended without a word. Several at once have not begun, as where each would start
    its own."""
    paths = [frame.path for frame in failure.frames]
    if any("\\" in path for path in paths):
        return say("gone-on-windows", pids=pids)
    if "," in pids and not paths:
        return say("several-gone", pids=pids)
    return say("gone-without-error", pids=pids)
