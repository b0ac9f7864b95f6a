"""Hands what the taps saw to the recorders. Raw things, torch's own: they end here and in recorders."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from threading import current_thread, get_ident
from time import perf_counter
from typing import TYPE_CHECKING, Any

from keng.model import Blind

if TYPE_CHECKING:
    from keng.run.state import Scene

EVENTS = (
    "pass_begin", "batch", "pass_end", "loader_failed", "stalled", "recurrent", "recurred", "interpolate",
    "forward", "forward_end", "dropout", "loss", "loss_end", "loss_failed", "backward", "backward_end",
    "backward_failed", "slope", "scale", "unscale", "scaler_step", "scaler_step_end", "scaler_update",
    "clip", "step", "step_end", "zero_grad", "scheduler", "scheduled", "forward_failed", "state_loaded",
    "state_taken", "state_loading", "averaged",
    "checkpoint", "restored", "applied", "cut", "indexed", "computed", "drawn", "seeded", "lstsq",
    "lock_waited", "read", "moved_over", "retained", "joined", "parted", "wrapped", "saved",
    "read_to", "root", "optimizer", "initialized", "mode", "bytes", "paused", "given", "end",
)  # fmt: skip

TRIP = 6e-6
"""Seconds that being told something takes beside what the recorders' own clock sees: the way through a
tap and back, and caches that the program finds cold afterwards. By the difference of steps with taps and
without, of a small model on the machine of benchmarks/README.md; in a row it is a twentieth of that."""


class Recorder:
    """Makes moments, and remembers what they need. Listens to the events that it has methods for."""

    makes: tuple[str, ...] = ()
    rests: tuple[str, ...] = ()
    """Events that are not told it until it wakes up for them."""
    in_stretches: tuple[str, ...] = ()
    """Events that are told it while there is full attention (`Attention`), and else not. `paused` tells
    it that there is none from now on: what hangs on having seen every step is to be forgotten."""
    serves: str = ""
    """An event of which it prepares something for others: there is none without these."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.bus: Bus | None = None

    @classmethod
    def possible(cls) -> bool:
        """Whether there is anything here that it could see."""
        return True

    def wake(self, *events: str) -> None:
        if self.bus is not None:
            self.bus.turn(self, events, resting=False)

    def rest(self, *events: str) -> None:
        """Tells the bus that nothing is wanted of these events for now: most steps are like the last."""
        if self.bus is not None:
            self.bus.turn(self, events, resting=True)

    @classmethod
    def hears(cls) -> set[str]:
        return {event for event in EVENTS if hasattr(cls, event)}


class Gate:
    """Whether taps let things through. `shut` while keng itself works, in other threads than the one
    watched, in forked children, and after the end; `inside` while a module's forward or a backward
    runs, whose inner calls are not the user's. Once closed it stays so."""

    __slots__ = ("__weakref__", "closed", "inside", "shut", "thread")

    def __init__(self) -> None:
        self.closed = False
        self.shut = False
        self.inside = False
        self.thread = get_ident()

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
        scene: Scene,
        recorders: list[Recorder],
        blinded: Callable[[str, Exception], None],
        follows: bool = False,
    ) -> None:
        self.scene = scene
        self.gate = Gate()
        self.blinded = blinded
        self.follows = follows
        self.beside = False
        self.all: dict[str, list[tuple[Recorder, Any]]] = {
            event: [(r, getattr(r, event)) for r in recorders if hasattr(type(r), event)]
            for event in EVENTS
        }
        self.resting = {(r, event) for r in recorders for event in r.rests}
        self.full = {event: self._awake(event) for event in EVENTS}
        self.sparse = {event: _always(event, self.full[event]) for event in EVENTS}
        self.handlers = self.full
        for recorder in recorders:
            recorder.bus = self

    def wants(self, *events: str) -> bool:
        return any(self.all[event] for event in events)

    def turn(self, recorder: Recorder, events: Iterable[str], resting: bool) -> None:
        """Takes a recorder off the lists of some events, or puts it back where it stood."""
        for event in events:
            if ((recorder, event) in self.resting) is not resting:
                self.resting ^= {(recorder, event)}
                self._list(event)

    def attend(self, attends: bool) -> None:
        """Begins a stretch of full attention, or ends it. A recorder asks."""
        self.scene.attends = attends
        self.handlers = self.full if attends else self.sparse
        if attends:
            return
        for recorder, handler in self.handlers["paused"]:
            try:
                handler()
            except Exception as error:
                self._drop(recorder, error)

    def _list(self, event: str) -> None:
        self.full[event] = self._awake(event)
        self.sparse[event] = _always(event, self.full[event])

    def _awake(self, event: str) -> list[tuple[Recorder, Any]]:
        return [each for each in self.all[event] if (each[0], event) not in self.resting]

    def trains_here(self) -> None:
        """This thread has an optimizer that steps. The first that trains is watched from now on, where any
        may be, and the next when that one is gone; of one beside it, it is said once that it is not."""
        if get_ident() == self.gate.thread:
            return
        gone = self.scene.step == 1 or self.gate.thread not in sys._current_frames()
        if self.follows and gone:
            self.gate.thread = get_ident()
        elif not self.beside:
            self.beside = True
            why = f"what thread `{current_thread().name}` trains beside the one that is watched"
            self.scene.hub.blind.append(Blind("", why))

    def tell(self, event: str, *args: Any) -> None:
        """No exception comes out of here, and no tap is heard while recorders work."""
        gate = self.gate
        if not self.handlers[event] or gate.shut or get_ident() != gate.thread:
            return
        gate.shut = True
        begun = perf_counter()
        try:
            for recorder, handler in self.handlers[event]:
                try:
                    handler(*args)
                except Exception as error:
                    self._drop(recorder, error)
        finally:
            self.scene.spent += perf_counter() - begun + TRIP
            gate.shut = gate.closed

    def _drop(self, recorder: Recorder, error: Exception) -> None:
        for event, handlers in self.all.items():
            self.all[event] = [h for h in handlers if h[0] is not recorder]
            self._list(event)
        self.blinded(f"recorder {type(recorder).__name__}", error)


def _always(event: str, handlers: list[tuple[Recorder, Any]]) -> list[tuple[Recorder, Any]]:
    return [each for each in handlers if event not in each[0].in_stretches]
