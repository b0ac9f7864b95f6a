"""One rank while its job lasts: what it reports to rank 0, and what rank 0 does with the reports."""

from __future__ import annotations

import os
import platform
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from time import monotonic, sleep, time

from torch.distributed import DistNetworkError

from keng.model import Finding, Skipped
from keng.ranks.calls import Call, Parting, Side, Standing
from keng.ranks.collect import journal
from keng.ranks.collect.comparison import Board
from keng.ranks.collect.groups import Group
from keng.ranks.collect.last_words import last_words
from keng.ranks.collect.messages import (
    Differs,
    Ends,
    Finds,
    Hello,
    Letter,
    Made,
    Moves,
    Paced,
    Stands,
    Tells,
)
from keng.ranks.collect.pace import Pacer, StepTimes
from keng.ranks.collect.position import became_of, gone_by
from keng.ranks.collect.process import Process
from keng.ranks.collect.sections import FEW, Pasts, Section
from keng.ranks.collect.slowness import PARTS
from keng.ranks.collect.store import Mailbox
from keng.ranks.collect.summaries import Summaries
from keng.ranks.reports import Ranks, Told
from keng.run.findings import Findings
from keng.run.plan import Plan

PAUSE = 0.02
OVER, ABORT, ASKED, HOST = "over", "abort", "asked", "host"
"""What rank 0 lets the others know: it has ended, and whoever waits waits in vain; all are to end; it
asks, for the so many-th time, where they are, or some of them for their calls; its process."""
HEIR = "heir"
"""Who is first to ask for this speaks for a rank 0 that is gone."""
GOING = 2.0
"""Seconds in which a rank that others have lost is gone for the system too: the kernel closes its connections
first."""
OBEYS = 10.0
"""Seconds that rank 0 waits for ranks that are to end, before it ends itself: each looks at every tick."""
ANSWERS = 2
"""Ticks that rank 0 waits for answers. Who waits looks for a question at each."""
HEEDS, MOST_HEEDING = 4, 256
"""Looks of many ranks from one at which they look for a question to the next: as many more as keep the ranks
that look to so many at a time."""


class Member:
    def __init__(self, findings: Findings, plan: Plan, process: Process) -> None:
        self.rank, self.world = process.rank, process.world
        self._findings, self._plan, self._process = findings, plan, process
        self._board = Board(findings, plan, self.world, process.now) if self.rank == 0 else None
        self._told: deque[Callable[[], Told]] = deque()
        self._found: deque[Finding] = deque()
        self._pulse = self._read_at = -1
        self._last: Call | None = None
        self._moved = process.now()
        self._stands = self._stalled = self._alone = False
        self._questions = self._looks = 0
        self._asked_at: float | None = None
        self.tick = min(1.0, plan.stall / 4)
        """Seconds from one look to the next."""
        self._pasts = Pasts(self.rank, self.world) if self.world > FEW else None
        self._summaries = Summaries(self.rank, self.world)
        self._disputed: set[tuple[str, bool]] = set()
        self._pacer = Pacer(self.rank, plan.pace / PARTS)
        self._group = Group(self.rank, self.world)
        self._every = max(HEEDS, self.world // MOST_HEEDING)
        self._host: Hello | None = None
        """The process of rank 0, which often takes the store away when it dies."""

    def enter(self, mailbox: Mailbox) -> None:
        self._mailbox = mailbox
        hello = self._process.hello()
        if self._board is not None:
            self._mailbox.raise_flag(HOST, hello)
        self._send(hello)
        self._find_host()

    def _find_host(self) -> None:
        if self._board is None and self._host is None:
            self._host = self._mailbox.note(HOST)

    def time(self, times: StepTimes) -> None:
        """Compares the speed of this rank, which writes its steps there, with that of the others."""
        self._pacer.times = times

    def tell(self, read: Callable[[], Told]) -> None:
        self._told.append(read)

    def find(self, finding: Finding) -> None:
        self._found.append(finding)

    def end(self, gone: str, read: Callable[[], Told]) -> bool:
        """Sends the last letters. Returns whether rank 0 speaks for this rank."""
        try:
            return self._end(gone, read)
        except (ConnectionError, DistNetworkError):
            self._speak_alone(gone)
            raise

    def _end(self, gone: str, read: Callable[[], Told]) -> bool:
        self._send_all()
        waits, made = self._read().waits, self._process.pulse()
        mail = self._process.mail()._replace(waits=())
        ending = Standing(self.rank, waits, made=made, gone=gone, at=time(), mail=mail)
        self._send_past(whole=False)
        # What is done to a model when training is over is no divergence.
        return self._hand_on(Ends(ending, *self._own(), read()._replace(replicas=())))

    def break_off(self) -> bool:
        """Sends the last letters of a process that is asked to end. Returns whether rank 0 speaks for it."""
        self._send_all()
        ending = self._process.standing(self._read(), self._process.mail(), self._process.pulse())
        self._send_past(whole=False)
        return self._hand_on(Ends(ending, *self._own(), Told(self.rank, 0), asked=True))

    def _hand_on(self, ends: Ends) -> bool:
        """Sends the last letter and returns whether rank 0 speaks for this rank. Rank 0, which often holds
        the store, may end once it has the letter, so what has to be asked of the store is asked before."""
        if self._board is not None:
            self._send(ends)
            self._gather(self._board)
            return False
        host = None if self._mailbox.flag(OVER) else self._neighbour()
        gone = self._fate(host, GOING if ends.standing.lost else 0.0) if host else ""
        self._send(ends)
        if host is None or not gone or not self._inherits():
            return True
        self._show_gone(host, gone, ends.standing)
        return False

    def _neighbour(self) -> Hello | None:
        """The process of rank 0, where it is on this machine."""
        self._find_host()
        return self._host if self._host and self._host.node == platform.node() else None

    def _speak_alone(self, gone: str) -> None:
        """Where this rank has lost the others and the store: reports how rank 0 has died, if it has not said
        that it ends. There is nothing to ask who speaks, so each rank does."""
        ending = Standing(self.rank, self._process.read().waits, gone=gone, at=time())
        host = self._host
        if host is None or host.node != platform.node() or self._alone or not ending.lost:
            return
        until = self._process.now() + GOING
        while not (fate := became_of(host.process, host.killed_for_memory)):
            if self._process.now() >= until:
                return
            sleep(PAUSE)
        self._show_gone(host, fate, ending)

    def _inherits(self) -> bool:
        """Whether rank 0, which is gone, has left no last words, and this rank is the first to see it. A
        rank 0 that has just ended has raised the flag before."""
        return not self._mailbox.flag(OVER) and self._mailbox.is_first(HEIR)

    def _show_gone(self, host: Hello, gone: str, ending: Standing) -> None:
        """Reports what became of rank 0, and where this rank waited for it."""
        words = last_words(host.last_words, host.thread)
        dead = Side((0,), None, gone=gone_by(words, gone), lines=words.lines)
        call = ending.waits[0] if ending.waits else self._last if ending.lost else None
        parting = Parting("", 0, (dead,), stands=True)
        if call is not None:
            group, number, made, _ = call
            sides = (Side((self.rank,), made, made.where), dead)
            parting = Parting(group, number, sides, stands=True)
        self._findings.compare(Ranks(self.world, parting=parting))

    def _fate(self, host: Hello, patience: float) -> str:
        """What became of rank 0, which may be about to go."""
        until = self._process.now() + patience
        while not (gone := became_of(host.process, host.killed_for_memory)):
            if self._process.now() >= until or self._mailbox.flag(OVER):
                break
            sleep(PAUSE)
        return gone

    def _own(self) -> tuple[tuple[Finding, ...], tuple[Skipped, ...]]:
        """What rank 0 has not: of each finding it was reported once."""
        if self._board is not None:
            return (), ()
        result = self._findings.result()
        return tuple(f._replace(times=f.times - 1) for f in result.findings), result.skipped

    def look(self) -> None:
        self._find_host()
        self._send_all()
        pulse, now = self._process.pulse() + self._process.sent(), self._process.now()
        if pulse != self._pulse:
            self._go_on(pulse, now)
        elif not self._stands and (self._has_waited(now) or self._is_alone()):
            self._stand(now)
        elif self._stands and self._board is None and not self._is_alone():
            self._heed(now)
        if self._pasts is not None and not self._stands and self._heeds():
            self._heed(now)
        self._compare_sections()
        self._pacer.look(self._process.frame())
        # The stages of a pipeline, which send messages, do different work.
        if not self._process.sent() and self._pacer.is_due():
            self._send_pace()
        summary = self._group.summary(self._mailbox)
        if summary is not None:
            self._send(Paced(self.rank, summary))
        if self._board is not None:
            self._judge(self._board, now)
        elif self._stands and self._plan.abort and not self._alone and self._mailbox.flag(ABORT):
            self._abort()

    def _send_pace(self) -> None:
        self._read()
        pace = self._pacer.pace()
        if pace is not None:
            self._group.add(pace, self._mailbox)

    def _is_alone(self) -> bool:
        """Whether rank 0 has ended. Nothing is looked up from then on: the store that it mostly holds may go
        at any moment, and a client that waits for it then writes a page to standard error."""
        self._alone = self._alone or self._mailbox.flag(OVER)
        return self._alone

    def _has_waited(self, now: float) -> bool:
        return now - self._moved >= self._plan.stall / 2

    def _go_on(self, pulse: int, now: float) -> None:
        self._pulse, self._moved = pulse, now
        if self._process.pulse() - self._read_at > journal.FULL:
            self._read()
        if self._stands:
            self._stands = False
            self._send(Moves(self.rank))

    def _stand(self, now: float) -> None:
        self._stands = True
        self._send_standing(now)

    def _heeds(self) -> bool:
        """Whether this is a look at which one of many ranks looks for a question although it moves."""
        self._looks += 1
        return self._board is None and (self._looks + self.rank) % self._every == 0

    def _heed(self, now: float) -> None:
        """Answers each question of rank 0 once."""
        if not self._mailbox.flag(name := f"{ASKED}{self._questions}"):
            return
        self._questions += 1
        asked = self._mailbox.note(name)
        if asked is None:
            if self._stands:
                self._send_standing(now)
            self._read()
        if asked is None or self.rank in asked:
            self._send_past(whole=asked is not None)

    def _compare_sections(self) -> None:
        """Of two digests the exact one tells calls of one kind from different lines, which may be meant:
        once."""
        for section in self._pasts.ended() if self._pasts is not None else ():
            mine = f"{self.rank} {section.exact} {section.alike}"
            name = f"calls{section.group}/{section.number}"
            owner, exact, alike = map(int, self._mailbox.first(name, mine.encode()).split())
            if exact != section.exact:
                self._dispute(section, owner, alike == section.alike)

    def _dispute(self, section: Section, owner: int, by_lines: bool) -> None:
        if (section.group, by_lines) not in self._disputed:
            self._disputed.add((section.group, by_lines))
            ranks = self._process.groups().get(section.group, ())
            self._send(Differs(self.rank, owner, section.group, ranks, section.exact))

    def _send_past(self, whole: bool) -> None:
        letter = self._pasts and self._pasts.letter(self._process.groups(), whole)
        if letter:
            self._send(letter)

    def _send_standing(self, now: float) -> None:
        at = self._process.standing(self._read(), self._process.mail(), self._pulse)
        self._send(Stands(at, now - self._moved))

    def _judge(self, board: Board, now: float) -> None:
        """Before a stall is reported, all are asked where they are by then: who is merely slow has come
        further since it began to wait."""
        self._take(board)
        if speakers := board.speakers():
            self._ask(speakers)
            if self.rank in speakers:
                self._send_past(whole=True)
        board.part()
        # Many ranks take a while to answer, so they are asked ahead.
        ahead = ANSWERS * self.tick if self._pasts is not None else 0.0
        if board.waited() < self._plan.stall - ahead:
            self._asked_at, self._stalled = None, False
        elif self._asked_at is None:
            self._asked_at = now
            self._ask(None)
        elif not self._stalled and self._has_answers(board, now - self._asked_at):
            self._stalled = True
            if self._stands:
                self._send_standing(now)
            self._send_past(whole=False)
            self._tell(board)

    def _has_answers(self, board: Board, seconds: float) -> bool:
        return board.waited() >= self._plan.stall and seconds >= ANSWERS * self.tick

    def _ask(self, ranks: frozenset[int] | None) -> None:
        """Asks all where they are, or some for their calls."""
        self._mailbox.raise_flag(f"{ASKED}{self._questions}", ranks)
        self._questions += 1

    def _tell(self, board: Board) -> None:
        self._plan.on_stall(board.stall())
        if self._plan.abort:
            self._plan.on_abort()
            self._mailbox.raise_flag(ABORT)
            self._await_standing(board)
            self._exit()

    def _await_standing(self, board: Board) -> None:
        """Rank 0, which often holds the store, stays until the others that stand have said that they end:
        one that loses it before, and has not seen the flag, would report its death."""
        until = self._process.now() + OBEYS
        with suppress(RuntimeError, OSError):
            while board.has_standing() and self._process.now() < until:
                sleep(PAUSE)
                self._take(board)
            self._mailbox.raise_flag(OVER)

    def _abort(self) -> None:
        with suppress(RuntimeError, OSError):
            ending = Standing(self.rank, at=time())
            self._send(Ends(ending, (), (), Told(self.rank, 0), asked=True))
        self._exit()

    def _exit(self) -> None:
        self._process.close()
        os._exit(1)

    def _send_all(self) -> None:
        """A recorder that holds much takes so long to read that it is read in time and no sooner."""
        if self._told and self._process.pulse() < journal.FEW:
            self._read()
        while self._told:
            self._send_told(self._told.popleft()())
        while self._found:
            self._send(Finds(self._found.popleft()))

    def _send_told(self, told: Told) -> None:
        letters = [Tells(told)]
        if self._pasts is not None:
            letters = self._summaries.letters(told, self._mailbox)
        for letter in letters:
            self._send(letter)

    def _read(self) -> journal.Read:
        read = self._process.read()
        self._read_at = self._process.pulse()
        if read.calls:
            self._last = read.calls[-1]
            self._pacer.add(read.calls)
            if self._pasts is not None:
                self._pasts.add(read.calls)
            else:
                self._send(Made(self.rank, read.calls, self._process.groups()))
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
