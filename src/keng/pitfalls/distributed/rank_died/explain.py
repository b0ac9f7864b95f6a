"""Error messages: one rank has died, and the others wait for it."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.pitfalls.distributed._shared_explain import signal_meaning
from keng.rules import explains

MEANS = {
    "-6 SIGABRT": "C++ gave up, and says why above",
    "-7 SIGBUS": "most often a full /dev/shm",
    "-11 SIGSEGV 3221225477 -1073741819": "memory was read that is not the program's",
    "-4 SIGILL": "the processor lacks an instruction of this build",
    "-15 SIGTERM": "it was told to end, by the launcher after another rank had failed, or from outside",
}
"""The ends of a process -> what they tell."""

REFUSED = re.compile(
    r"(?:^|\s)(?P<file>[\w.-]{1,80}\.py): error: (?P<said>(?:the following arguments are required|"
    r"unrecognized arguments|argument |ambiguous option).{1,120}?)(?=\s{2}|\n|$)"
)
"""Of argparse."""


@explains("connection-lost")
def connection_lost(failure: Failure) -> Hits:
    host, port = failure.groups["host"], failure.groups["port"]
    which = f" at {host}:{port}" if port else f" at {host}" if host else ""
    yield failure.hit(f"the rank{which} ended while this one waited: its own error comes first")


@explains("launcher-tells-only-that")
def launcher_tells_only_that(failure: Failure) -> Hits:
    code, signal = failure.groups.get("code", ""), failure.groups.get("signal", "")
    how = f" (exit code {code})" if code else f" (signal {signal})" if signal else ""
    told = (means for ends, means in MEANS.items() if (code or signal) in ends.split())
    how += next((f": {means}" for means in told), "")
    says = f"the launcher tells only that a process ended{how}; its own error stands above, in the log of the rank that failed first"
    refused = (
        _refused_arguments(f"{failure.message}\n{failure.surrounding}") if code in ("2", "") else ""
    )
    yield failure.hit(refused or says)


@explains("communicator-aborted")
def communicator_aborted(failure: Failure) -> Hits:
    yield failure.hit(say("rank-gave-up-waiting", rank=failure.groups["rank"]))


@explains("launcher-was-told-to-end")
def launcher_was_told_to_end(failure: Failure) -> Hits:
    yield failure.hit(signal_meaning(failure.groups["signal"]))


@explains("store-gone")
def store_gone(failure: Failure) -> Hits:
    if failure.kind.endswith(("RuntimeError", "DistNetworkError", "DistBackendError")):
        yield failure.hit(say("store-rank-gone-rank", what=failure.groups["what"].lower()))


def _refused_arguments(text: str) -> str:
    """That a program did not take its command line, as a sentence; nothing where none says so."""
    found = REFUSED.search(text)
    if found is None:
        return ""
    return (
        f"{found['file']} ended by itself, as it does not take what it was given: {found['said']}"
    )
