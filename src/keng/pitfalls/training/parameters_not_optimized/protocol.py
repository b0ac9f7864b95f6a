"""An automaton: an optimizer steps for a network that has been replaced since it was made."""

from __future__ import annotations

from typing import NamedTuple

from keng.source.execution.automaton import State
from keng.source.execution.events import Did, Event
from keng.source.execution.program import Execution
from keng.source.execution.values import Object
from keng.source.execution.worlds import World


class Replaced(NamedTuple):
    """The replacement of something that the optimizer holds, and whether a loss comes from the new one."""

    event: Event | None = None
    lost: bool = False
    over: bool = False


class StepsForTheOld:
    """Reports replacements after which an optimizer steps without having got the new parameters."""

    kinds = frozenset({Did.REPLACED, Did.BACKWARD, Did.STEP, Did.ESCAPE, Did.GRADIENT_SET})
    needs = frozenset({Did.REPLACED, Did.BACKWARD, Did.STEP})
    start: State = Replaced()

    def __init__(self, execution: Execution, optimizer: Object) -> None:
        self._execution = execution
        self._optimizer = optimizer
        self.found: list[Event] = []

    def after(self, event: Event, state: State, world: World) -> State:
        assert isinstance(state, Replaced), "the rule's own"
        if state.over:
            return state
        if event.did is Did.REPLACED:
            return Replaced(event) if self._lets_go(event) else state
        if event.did is Did.BACKWARD and state.event is not None:
            return state._replace(lost=state.lost or self._comes_from(event, state.event))
        if not any(each is self._optimizer for each in event.objects):
            return state
        if event.did is Did.STEP and state.lost and state.event is not None:
            self.found.append(state.event)
        return Replaced(over=event.did is not Did.STEP or state.lost) if state.event else state

    def _lets_go(self, event: Event) -> bool:
        old, new = event.objects
        held = isinstance(old, Object) and isinstance(new, Object)
        if not held or not isinstance(old, Object) or not isinstance(new, Object):
            return False
        ours = self._optimizer.of
        older = new.number > self._optimizer.number > old.number
        apart = not self._execution.machine.are_related(old.number, new.number)
        return older and apart and old.number in ours and new.number not in ours

    def _comes_from(self, backward: Event, replaced: Event) -> bool:
        """Whether a loss comes from the new network and from nothing that the optimizer holds."""
        new = replaced.objects[1]
        gradient = self._execution.gradient_of(backward.objects[0])
        number = new.number if isinstance(new, Object) else 0
        return (
            number in gradient.sources
            and gradient.known
            and not self._execution.reaches(self._optimizer, gradient.sources)
        )
