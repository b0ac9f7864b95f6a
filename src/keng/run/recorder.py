"""What every recorder is: an object that handles events, and reports what they show.

One that serves a single pitfall is in the run.py of that pitfall and reports hits. One that serves
several provides facts, which their rules watch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import FunctionType
from typing import TYPE_CHECKING, Any, ClassVar, ParamSpec, Protocol

from keng._util.record import Record
from keng.model import Fix, Hit, Pitfall, Span
from keng.run.events import EVENTS, Event
from keng.run.frames import here

if TYPE_CHECKING:
    from keng.run.state import RunState

P = ParamSpec("P")


class Fact(Record):
    """What a recorder has found out for several pitfalls. It is shown to their rules as soon as it
    is known, and can be asked only then. What is expensive is a cached property."""

    run: RunState

    def hit(
        self,
        says: str,
        sure: bool = True,
        where: Span | None = None,
        fix: Fix | None = None,
        **evidence: Any,
    ) -> Hit:
        """A hit at `where`, or else at the line of the program that runs now."""
        return Hit(says, where or here(), {"step": self.run.step, **evidence}, fix, sure)


class Gate(Protocol):
    """True in `shut` while nothing that happens is the program's own."""

    @property
    def shut(self) -> bool: ...


class Dispatcher(Protocol):
    """What a recorder asks of the bus."""

    @property
    def gate(self) -> Gate: ...

    def set_dormant(
        self, recorder: Recorder, events: Iterable[type[Event]], dormant: bool
    ) -> None: ...

    def set_sampling(self, sampling: bool) -> None: ...

    def dispatch(self, event: Callable[P, Event], *args: P.args, **kwargs: P.kwargs) -> None: ...


class Recorder:
    """Handles the events that its public methods are named after, each of which takes the event
    alone: `def step_end(self, event: StepEnd) -> None`.

    Raises: TypeError when the class is created, where a public method is named after no event,
    takes other parameters, or is annotated with another event; and where `dormant` or `sampled`
    name what it does not handle.
    """

    needs: str = ""
    """What it needs and a machine may lack ("cuda"); without that the recorder is not used."""
    provides: tuple[type[Fact], ...] = ()
    """The facts that it shows to the rules that watch them; without such a rule it is not used."""
    dormant: tuple[type[Event], ...] = ()
    """Events that are not dispatched to it until it calls `listen`."""
    sampled: tuple[type[Event], ...] = ()
    """Events that are dispatched to it only while `RunState.sampling`. `Paused` says that this
    ends: what hangs on having seen every step must be forgotten."""
    prepares: tuple[type[Event], ...] = ()
    """Events that it prepares for others; without another recorder of one of them it is not used."""

    handlers: ClassVar[dict[type[Event], Callable[[Any, Any], None]]] = {}
    """The events that the class handles, and the functions that do."""

    keng_rules: ClassVar[list[type[Recorder]]] = []
    """As `keng.rules` marks functions: the recorders of a run.py are rules of its pitfall."""

    def __init__(self, run: RunState) -> None:
        self.run = run
        self.bus: Dispatcher | None = None
        self.pitfall: Pitfall | None = None

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        own = {name: value for name, value in vars(cls).items() if _claims_an_event(cls, name)}
        for name, value in own.items():
            _check(cls, name, value)
        cls.handlers = cls.handlers | {EVENTS[name]: value for name, value in own.items()}
        for event in (*cls.dormant, *cls.sampled):
            if event not in cls.handlers:
                raise TypeError(f"{cls.__qualname__} has no handler of {event.__name__}")
        cls.keng_rules = [cls]
        for fact in cls.provides:
            PROVIDERS.setdefault(fact, []).append(cls)

    def report(
        self,
        says: str,
        sure: bool = True,
        where: Span | None = None,
        fix: Fix | None = None,
        step: int = 0,
        **evidence: Any,
    ) -> None:
        """Reports a hit of the pitfall that the recorder belongs to: at `where` or else at the line
        of the program that runs now, of `step` or else of the current one."""
        step = step or self.run.step
        hit = Hit(says, where or here(), {"step": step, **evidence}, fix, sure)
        if self.pitfall is not None:
            self.run.findings.report(self.pitfall, hit, step)

    def show(self, fact: Fact) -> None:
        """Shows a fact to the rules that watch it."""
        self.run.findings.show(fact, self.run.step)

    def listen(self, *events: type[Event]) -> None:
        """Has events dispatched to it from now on."""
        if self.bus is not None:
            self.bus.set_dormant(self, events, dormant=False)

    def ignore(self, *events: type[Event]) -> None:
        """Has events no longer dispatched to it, until it listens again."""
        if self.bus is not None:
            self.bus.set_dormant(self, events, dormant=True)


PROVIDERS: dict[type[Fact], list[type[Recorder]]] = {}
"""The recorders that provide a fact."""


def _claims_an_event(cls: type[Recorder], name: str) -> bool:
    """True for what has the name of an event, and for other public methods that no base class
    declares."""
    value = vars(cls)[name]
    if name in EVENTS or name.startswith("_") or not isinstance(value, FunctionType):
        return name in EVENTS
    declared = getattr(value, "__isabstractmethod__", False)
    return not declared and not any(hasattr(base, name) for base in cls.__bases__)


def _check(cls: type[Recorder], name: str, handler: object) -> None:
    where = f"{cls.__qualname__}.{name}"
    event = EVENTS.get(name)
    if event is None:
        raise TypeError(f"{where}: no event has this name{_nearest(name)}")
    if not isinstance(handler, FunctionType):
        raise TypeError(f"{where} is no method, but has the name of an event")
    expected = f"def {name}(self, event: {event.__name__}) -> None"
    code = handler.__code__
    stars = code.co_flags & (VAR_POSITIONAL | VAR_KEYWORD)
    if code.co_argcount != 2 or code.co_kwonlyargcount or stars or handler.__defaults__:
        raise TypeError(f"{where} takes other parameters than the event alone: {expected}")
    annotation = handler.__annotations__.get(code.co_varnames[1])
    if annotation is None:
        raise TypeError(f"{where} does not say which event it takes: {expected}")
    if isinstance(annotation, str):
        annotation = handler.__globals__.get(annotation, annotation)
    if annotation is not event and annotation != event.__name__:
        raise TypeError(f"{where} is annotated with another event: {expected}")


VAR_POSITIONAL, VAR_KEYWORD = 0x04, 0x08
"""Flags of a code object that takes `*args` and `**kwargs` (inspect.CO_VARARGS,
inspect.CO_VARKEYWORDS)."""


def _nearest(name: str) -> str:
    from difflib import get_close_matches

    nearest = get_close_matches(name, EVENTS, n=1)
    return f"; did you mean `{nearest[0]}`?" if nearest else ""
