"""Dispatches what the taps see to the recorders."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from threading import current_thread, get_ident
from time import perf_counter
from typing import TYPE_CHECKING, ParamSpec, TypeAlias
from weakref import WeakSet

from keng._util.texts import sentence
from keng.model import Skipped
from keng.run.events import EVENTS, Event, Paused
from keng.run.recorder import Recorder

if TYPE_CHECKING:
    from keng.run.state import RunState

P = ParamSpec("P")
Handlers: TypeAlias = list[tuple[Recorder, Callable[[Event], None]]]

DISPATCH_COST = 6e-6
"""Seconds of a dispatch that the recorders' own clock does not see: the way through a tap and back,
and caches that the program finds cold afterwards. By the difference of steps with taps and without,
of a small model on the machine of benchmarks/README.md; dispatches one after the other cost a
twentieth of that."""


GATES: WeakSet[TapGate] = WeakSet()


@contextmanager
def taps_shut() -> Iterator[None]:
    """Within this the taps of no watch forward anything: another one may be on as well."""
    held = [gate for gate in GATES if not gate.shut]
    for gate in held:
        gate.hold()
    try:
        yield
    finally:
        for gate in held:
            gate.release()


class TapGate:
    """True in `shut` while taps forward nothing: while keng itself works, in forked children, and
    after the end. `inside` while a module's forward or a backward runs, whose inner calls are not
    the program's own. `thread` is the one that is watched. Once closed it stays shut."""

    __slots__ = ("__weakref__", "closed", "inside", "shut", "thread")

    def __init__(self) -> None:
        self.closed = False
        self.shut = False
        self.inside = False
        self.thread = get_ident()
        GATES.add(self)

    def close(self) -> None:
        self.closed = self.shut = True

    def hold(self) -> None:
        """Until `release`: what keng did meanwhile would become part of the program."""
        self.shut = True

    def release(self) -> None:
        self.shut = self.closed


class Bus:
    """The recorders of one watched run."""

    def __init__(
        self,
        run: RunState,
        recorders: list[Recorder],
        record_failure: Callable[[str, Exception], None],
        follows: bool = False,
    ) -> None:
        self.run = run
        self.gate = TapGate()
        self.record_failure = record_failure
        self.follows = follows
        self.trains_elsewhere = False
        self.all: dict[Callable[..., Event], Handlers] = {
            event: [(r, r.handlers[event].__get__(r)) for r in recorders if event in r.handlers]
            for event in EVENTS.values()
        }
        self.dormant = {(r, event) for r in recorders for event in r.dormant}
        self.full = {event: self._listening(event) for event in self.all}
        self.sparse = {event: _unsampled(event, handlers) for event, handlers in self.full.items()}
        self.handlers = self.full
        for recorder in recorders:
            recorder.bus = self

    def wants(self, *events: type[Event]) -> bool:
        """Whether a recorder handles one of the events, dormant or not."""
        return any(self.all[event] for event in events)

    def set_dormant(self, recorder: Recorder, events: Iterable[type[Event]], dormant: bool) -> None:
        """Takes a recorder off the lists of some events, or puts it back in its place."""
        for event in events:
            if ((recorder, event) in self.dormant) is not dormant:
                self.dormant ^= {(recorder, event)}
                self._list(event)

    def set_sampling(self, sampling: bool) -> None:
        """Begins a stretch of steps in which sampled events are dispatched, or a pause."""
        self.run.sampling = sampling
        self.handlers = self.full if sampling else self.sparse
        if sampling:
            return
        for recorder, handler in self.handlers[Paused]:
            try:
                handler(Paused())
            except Exception as error:
                self._drop(recorder, error)

    def trains_here(self) -> None:
        """Notes that this thread has an optimizer that steps. The first thread that trains is
        watched from now on, where any may be, and the next when that one is gone. Another one that
        trains is reported once, as not watched."""
        if get_ident() == self.gate.thread:
            return
        gone = self.run.step == 1 or self.gate.thread not in sys._current_frames()
        if self.follows and gone:
            self.gate.thread = get_ident()
        elif not self.trains_elsewhere:
            self.trains_elsewhere = True
            why = sentence("thread_not_watched", name=current_thread().name)
            self.run.findings.skipped.append(Skipped("", why))

    def dispatch(self, event: Callable[P, Event], *args: P.args, **kwargs: P.kwargs) -> None:
        """Creates an event for the recorders that listen to it. No exception of theirs comes out of
        here, and taps forward nothing while they work."""
        handlers = self.handlers[event]
        gate = self.gate
        if not handlers or gate.shut or get_ident() != gate.thread:
            return
        gate.shut = True
        begun = perf_counter()
        try:
            happened = event(*args, **kwargs)
            for recorder, handler in handlers:
                try:
                    handler(happened)
                except Exception as error:
                    self._drop(recorder, error)
        finally:
            self.run.spent += perf_counter() - begun + DISPATCH_COST
            gate.shut = gate.closed

    def _listening(self, event: Callable[..., Event]) -> Handlers:
        return [each for each in self.all[event] if (each[0], event) not in self.dormant]

    def _list(self, event: Callable[..., Event]) -> None:
        self.full[event] = self._listening(event)
        self.sparse[event] = _unsampled(event, self.full[event])

    def _drop(self, recorder: Recorder, error: Exception) -> None:
        for event, handlers in self.all.items():
            self.all[event] = [each for each in handlers if each[0] is not recorder]
            self._list(event)
        self.record_failure(f"recorder {type(recorder).__name__}", error)


def _unsampled(event: Callable[..., Event], handlers: Handlers) -> Handlers:
    return [each for each in handlers if event not in each[0].sampled]
