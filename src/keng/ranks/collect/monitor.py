"""One rank while its job lasts: a thread that looks at it now and then, and tells rank 0."""

from __future__ import annotations

import atexit
import os
import platform
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from threading import Event, Thread, get_ident
from time import monotonic, sleep, time
from typing import Any

import torch.distributed as dist

from keng._util.texts import sentence
from keng.env.cgroups import kills
from keng.env.files import Files
from keng.model import Finding, Skipped
from keng.ranks.calls import Call, Parting, Side, Stall, Standing
from keng.ranks.collect import journal, position
from keng.ranks.collect.comparison import LAST_WORDS, Board
from keng.ranks.collect.journal import FlightRecorder, Journal
from keng.ranks.collect.messages import Ends, Finds, Hello, Letter, Made, Moves, Stands, Tells
from keng.ranks.collect.point_to_point import Messages
from keng.ranks.collect.position import became_of
from keng.ranks.collect.store import Mailbox
from keng.ranks.collect.wrapped_collectives import Wrapped
from keng.ranks.reports import Ranks, Told
from keng.run.findings import Findings
from keng.run.plan import Plan

PAUSE = 0.02
ENTRANCE = 0.5
"""Seconds that a program waits for the store to know it. Where the store does not
answer, the thread continues to ask alone."""
LONGEST_END = 20.0
"""Seconds that a program that is over waits for its last letters to be brought."""
OVER, ABORT, ASKED, HOST = "over", "abort", "asked", "host"
"""What rank 0 lets the others know: it has ended, and whoever waits waits in vain; all are to end; it
asks, for the so many-th time, where they stand; its process."""
HEIR = "heir"
"""Who is first to ask for this speaks for a rank 0 that is gone."""
ANSWERS = 2
"""Ticks that rank 0 waits for answers. Who stands looks for a question at each."""


class Member:
    """The store is asked by the thread alone: torch's client may wait for an answer without end."""

    def __init__(self, findings: Findings, plan: Plan, number: int) -> None:
        self.rank, self.world = dist.get_rank(), dist.get_world_size()
        self._findings, self._plan = findings, plan
        self._entered = Event()
        self._farewell: Callable[[], None] = lambda: None
        self._handed_on = False
        self._journal: Journal = FlightRecorder() if journal.records() else Wrapped()
        self._messages = Messages()
        self._board = Board(findings, plan, self.world) if self.rank == 0 else None
        self._told: deque[Callable[[], Told]] = deque()
        self._found: deque[Finding] = deque()
        self._program = get_ident()
        self._pulse = self._read_at = -1
        self._last: Call | None = None
        self._moved = monotonic()
        self._stands = self._stalled = self._alone = False
        self._questions = 0
        self._asked_at: float | None = None
        self._tick = min(1.0, plan.stall / 4)
        self._over = Event()
        job = dist.distributed_c10d._get_default_store(), number
        self._thread = Thread(target=self._run, args=job, name="keng", daemon=True)

    def start(self) -> None:
        atexit.register(self._stop)
        self._thread.start()
        self._entered.wait(ENTRANCE)  # who dies soon has been there

    def tell(self, read: Callable[[], Told]) -> None:
        self._told.append(read)

    def find(self, finding: Finding) -> None:
        self._found.append(finding)

    def leave(self, gone: str, read: Callable[[], Told]) -> bool:
        """The last letters, in order: what is told of a step is read against what was reported before.
        Whether rank 0 has got them, to speak for this rank."""
        self._journal.close()
        self._messages.close()
        self._farewell = lambda: self._end(gone, read)
        self._over.set()
        atexit.unregister(self._stop)
        self._thread.join(LONGEST_END)
        if self._thread.is_alive() or not self._entered.is_set():
            self._findings.skipped.append(Skipped("", sentence("store_silent")))
        return self._handed_on

    def _end(self, gone: str, read: Callable[[], Told]) -> None:
        self._send_all()
        waits, made = self._read().waits, journal.pulse()
        mail = self._messages.read()._replace(waits=())
        ending = Standing(self.rank, waits, made=made, gone=gone, at=time(), mail=mail)
        self._send(Ends(ending, *self._own(), read()))
        if self._board is not None:
            self._gather(self._board)
        else:
            self._handed_on = not self._inherits(ending)

    def _inherits(self, ending: Standing) -> bool:
        """Whether rank 0 has gone without its last words and this one is the first to see it, which then
        says what became of it, and speaks for itself."""
        host = None if self._mailbox.flag(OVER) else self._mailbox.note(HOST)
        if host is None or host.node != platform.node():
            return False
        gone = became_of(host.process, host.killed_for_memory)
        if not gone or not self._mailbox.is_first(HEIR):
            return False
        if ending.lost and self._last is not None:
            group, number, made, _ = self._last
            sides = (Side((self.rank,), made, made.where), Side((0,), None, None, gone=gone))
            self._findings.compare(
                Ranks(self.world, parting=Parting(group, number, sides, stands=True))
            )
        return True

    def _own(self) -> tuple[tuple[Finding, ...], tuple[Skipped, ...]]:
        """What rank 0 has not: of each finding it was reported once."""
        if self._board is not None:
            return (), ()
        result = self._findings.result()
        return tuple(f._replace(times=f.times - 1) for f in result.findings), result.skipped

    def _stop(self) -> None:
        self._over.set()
        self._thread.join(LAST_WORDS)

    def _run(self, store: Any, number: int) -> None:
        with self._guarded(), closing(Mailbox(store, number)) as self._mailbox:
            self._enter()
            with self._guarded():
                while not self._over.wait(self._tick):
                    self._look()
            self._over.wait()
            self._farewell()

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        try:
            yield
        except (ConnectionError, dist.DistNetworkError):
            return  # the rank that held the store has ended: on by oneself
        except Exception as error:
            self._findings.record_failure("the watch over the ranks", error)

    def _enter(self) -> None:
        hello = Hello(self.rank, os.getpid(), platform.node(), kills(Files()))
        if self._board is not None:
            self._mailbox.raise_flag(HOST, hello)
        self._send(hello)
        self._entered.set()

    def _look(self) -> None:
        self._send_all()
        pulse, now = journal.pulse() + self._messages.made, monotonic()
        if pulse != self._pulse:
            self._go_on(pulse, now)
        elif not self._stands and (self._has_waited(now) or self._is_alone()):
            self._stand(now)
        elif self._stands and self._board is None and not self._is_alone() and self._is_asked():
            self._send_standing(now)
        if self._board is not None:
            self._judge(self._board, now)
        elif self._stands and self._plan.abort and not self._alone and self._mailbox.flag(ABORT):
            self._abort()

    def _is_alone(self) -> bool:
        """Whether rank 0 has ended. Nothing is looked up from then on: the store that it mostly holds may go
        at any moment, and a client that waits for it then writes a page to standard error."""
        self._alone = self._alone or self._mailbox.flag(OVER)
        return self._alone

    def _has_waited(self, now: float) -> bool:
        return now - self._moved >= self._plan.stall / 2

    def _go_on(self, pulse: int, now: float) -> None:
        self._pulse, self._moved = pulse, now
        if journal.pulse() - self._read_at > journal.FULL:
            self._read()
        if self._stands:
            self._stands = False
            self._send(Moves(self.rank))

    def _stand(self, now: float) -> None:
        self._stands = True
        self._send_standing(now)

    def _is_asked(self) -> bool:
        """Once for each question of rank 0."""
        asked = self._mailbox.flag(f"{ASKED}{self._questions}")
        self._questions += asked
        return asked

    def _send_standing(self, now: float) -> None:
        mail = self._messages.read()
        at = position.now(self.rank, self._program, self._read(), mail, self._pulse)
        self._send(Stands(at, now - self._moved))

    def _judge(self, board: Board, now: float) -> None:
        """Before a stall is reported, all are asked where they stand by then: who is merely slow has come
        further since it began to stand."""
        self._take(board)
        board.part()
        if board.waited() < self._plan.stall:
            self._asked_at, self._stalled = None, False
        elif self._asked_at is None:
            self._asked_at = now
            self._mailbox.raise_flag(f"{ASKED}{self._questions}")
            self._questions += 1
        elif not self._stalled and now - self._asked_at >= ANSWERS * self._tick:
            self._stalled = True
            if self._stands:
                self._send_standing(now)
            self._tell(board.stall())

    def _tell(self, stall: Stall) -> None:
        self._plan.on_stall(stall)
        if self._plan.abort:
            self._mailbox.raise_flag(ABORT)
            self._abort()

    def _abort(self) -> None:
        if self._board is not None:
            self._plan.on_abort()
            sleep(2 * self._tick)  # rank 0 often holds the store, where the others see the flag
        os._exit(1)

    def _send_all(self) -> None:
        """A recorder that holds much takes so long to read that it is read in time and no sooner."""
        if self._told and journal.pulse() < journal.FEW:
            self._read()
        while self._told:
            self._send(Tells(self._told.popleft()()))
        while self._found:
            self._send(Finds(self._found.popleft()))

    def _read(self) -> journal.Read:
        read = self._journal.read()
        self._read_at = journal.pulse()
        if read.calls:
            self._last = read.calls[-1]
            self._send(Made(self.rank, read.calls, journal.groups()))
        return read

    def _send(self, letter: Letter) -> None:
        if self._board is not None:
            self._board.take(letter)
        else:
            self._mailbox.post(letter)

    def _take(self, board: Board) -> None:
        for letter in self._mailbox.letters():
            board.take(letter)

    def _gather(self, board: Board) -> None:
        """Rank 0 waits a little for those that have not ended yet, from when the store has answered."""
        awaited = True
        with suppress(RuntimeError, OSError):
            self._mailbox.raise_flag(OVER)
            self._take(board)
            begun = monotonic()
            while awaited:
                # Asked first: one that has ended since has written before.
                awaited = board.waits_for_some(monotonic() - begun)
                self._take(board)
                sleep(PAUSE if awaited else 0)
        board.conclude()
