"""Error messages: one rank has died, and the others wait for it."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, Message, say
from keng.pitfalls.distributed._shared_explain import ended_by_signal
from keng.rules import explains

SEGFAULTS = ("-11", "SIGSEGV", "3221225477", "-1073741819")
"""Signal and exit codes; the last two are those of Windows."""

REFUSED = re.compile(
    r"(?:^|\s)(?P<file>[\w.-]{1,80}\.py): error: (?P<said>(?:the following arguments are required|"
    r"unrecognized arguments|argument |ambiguous option).{1,120}?)(?=\s{2}|\n|$)"
)
"""Of argparse."""


@explains("connection-lost")
def connection_lost(failure: Failure) -> Hits:
    host, port = failure.groups["host"], failure.groups["port"]
    address = f"{host}:{port}" if port else host
    known = say("connection-lost-to", address=address)
    yield failure.hit(known if address else say("connection-lost"))


@explains("launcher-tells-only-that")
def launcher_tells_only_that(failure: Failure) -> Hits:
    code, signal = failure.groups.get("code", ""), failure.groups.get("signal", "")
    shown = f"{failure.message}\n{failure.surrounding}"
    refused = _refused_arguments(shown) if code in ("2", "") else None
    yield failure.hit(refused or _ended(code or "", signal or ""))


@explains("launcher-was-told-to-end")
def launcher_was_told_to_end(failure: Failure) -> Hits:
    yield failure.hit(ended_by_signal(failure.groups["signal"]))


@explains("store-gone")
def store_gone(failure: Failure) -> Hits:
    if failure.kind.endswith(("RuntimeError", "DistNetworkError", "DistBackendError")):
        yield failure.hit(say("store-gone", what=failure.groups["what"].lower()))


def _ended(code: str, signal: str) -> Message:
    """What an exit code or the name of a signal says about the end of a process; both may be missing."""
    how, end = say("exit-code", code=code) if code else say("signal", signal=signal), code or signal
    if end in ("-6", "SIGABRT"):
        return say("process-aborted", how=how)
    if end in ("-7", "SIGBUS"):
        return say("process-bus-error", how=how)
    if end in SEGFAULTS:
        return say("process-segfault", how=how)
    if end in ("-4", "SIGILL"):
        return say("process-illegal-instruction", how=how)
    if end in ("-15", "SIGTERM"):
        return say("process-terminated", how=how)
    if code:
        return say("process-ended-with-code", code=code)
    return say("process-ended-with-signal", signal=signal) if signal else say("process-ended")


def _refused_arguments(text: str) -> Message | None:
    """That a program did not accept its command line; None where nothing shows it."""
    found = REFUSED.search(text)
    if found is None:
        return None
    return say("arguments-rejected", file=found["file"], said=found["said"])
