"""Error messages: a DataLoader's worker was ended from outside."""

from __future__ import annotations

from keng.explain.advice.workers import BY_SIGNAL, gone_for
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


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
    yield failure.hit(gone_for(failure, failure.groups["pids"]))


@explains("left")
def left(failure: Failure) -> Hits:
    says = "worker {pid} ended by itself with exit code {code}, and its error is lost"
    yield failure.hit(f"{says.format(**failure.groups)}: num_workers=0 shows it")


@explains("handed-over-by-windows")
def handed_over_by_windows(failure: Failure) -> Hits:
    yield failure.hit(
        f"under Windows a worker could not hand its tensor over (error {failure.groups['code']}), mostly as the other process had ended: num_workers=0 shows why"
    )
