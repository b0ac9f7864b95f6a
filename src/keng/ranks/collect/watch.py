"""The thread of a member, which looks at its rank now and then: the program never waits for the store."""

from __future__ import annotations

import atexit
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from threading import Event, Thread
from typing import Any

import torch.distributed as dist

from keng._util.texts import sentence
from keng.model import Finding, Skipped
from keng.ranks.collect.comparison import LAST_WORDS
from keng.ranks.collect.monitor import Member
from keng.ranks.collect.pace import StepTimes
from keng.ranks.collect.process import ThisProcess
from keng.ranks.collect.store import Mailbox
from keng.ranks.reports import Told
from keng.run.findings import Findings
from keng.run.plan import Plan
from keng.run.shutdown import Ending

ENTRANCE = 8.0
"""Seconds that a program waits for the store to know it: nobody says how a rank died that was never known,
and gloo aborts one in its first call. A name server that loses a question of the store takes five.
Where the store does not answer, the thread continues to ask alone."""
LONGEST_END = 20.0
"""Seconds that a program that is over waits for its last letters to be brought."""


class Watch:
    """The store is asked by the thread alone: torch's client may wait for an answer without end."""

    def __init__(self, findings: Findings, plan: Plan, number: int) -> None:
        self._process = ThisProcess()
        self.rank = self._process.rank
        self._findings = findings
        self._member = Member(findings, plan, self._process)
        self._entered, self._ending = Event(), Ending()
        self._on_asked = plan.on_asked
        self._farewell: Callable[[], None] = lambda: None
        self._handed_on = False
        job = dist.distributed_c10d._get_default_store(), number
        self._thread = Thread(target=self._run, args=job, name="keng", daemon=True)

    def start(self) -> None:
        atexit.register(self._stop)
        if self._on_asked is not None:
            self._ending.arm()
        self._thread.start()
        self._entered.wait(ENTRANCE)  # who dies soon has been there

    def tell(self, read: Callable[[], Told]) -> None:
        self._member.tell(read)

    def peers(self) -> tuple[int, ...]:
        """The ranks that messages were sent to or received from."""
        mail = self._process.mail()
        return tuple(sorted({way.peer for way in (*mail.sent, *mail.received)}))

    def time(self, times: StepTimes) -> None:
        self._member.time(times)

    def find(self, finding: Finding) -> None:
        self._member.find(finding)

    def leave(self, gone: str, read: Callable[[], Told]) -> bool:
        """Sends the last letters, in order: what is reported of a step is read against what was reported
        before. Returns whether rank 0 has got them, to speak for this rank."""
        self._process.close()
        self._farewell = lambda: self._end(gone, read)
        self._ending.disarm()
        self._ending.finish()
        atexit.unregister(self._stop)
        self._thread.join(LONGEST_END)
        if self._thread.is_alive() or not self._entered.is_set():
            self._findings.skipped.append(Skipped("", sentence("store_silent")))
        return self._handed_on

    def _end(self, gone: str, read: Callable[[], Told]) -> None:
        self._handed_on = self._member.end(gone, read)

    def _stop(self) -> None:
        self._ending.finish()
        self._thread.join(LAST_WORDS)

    def _run(self, store: Any, number: int) -> None:
        with self._guarded(), closing(Mailbox(store, number)) as mailbox:
            self._member.enter(mailbox)
            self._entered.set()
            with self._guarded():
                while not self._ending.comes(self._member.tick):
                    self._member.look()
            self._ending.comes()
            if self._ending.asked:
                self._findings.handed_on = self._member.break_off()
            else:
                self._farewell()
        if self._ending.comes() and self._ending.asked:
            self._die()
        self._ending.close()

    def _die(self) -> None:
        """As SIGTERM ends a process, after the report."""
        try:
            if self._on_asked is not None:
                self._on_asked()
        finally:
            self._ending.die()

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        try:
            yield
        except (ConnectionError, dist.DistNetworkError):
            return  # the rank that held the store has ended: on by oneself
        except Exception as error:
            self._findings.record_failure("the watch over the ranks", error)
