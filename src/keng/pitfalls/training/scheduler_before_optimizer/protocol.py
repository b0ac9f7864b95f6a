"""An automaton: a scheduler of torch steps before any optimizer has."""

from __future__ import annotations

from keng.source.execution.automaton import State
from keng.source.execution.events import Did, Event
from keng.source.execution.program import Execution
from keng.source.execution.values import Object
from keng.source.execution.worlds import World

LATE = "an optimizer has stepped, or may have"


class SteppedFirst:
    """Reports the first `scheduler.step()` of a loop in which the first backward follows it. A backward
    that stands before it in a round was skipped in that round: by an accumulation, or a loop left early."""

    kinds = frozenset({Did.SCHEDULER_STEP, Did.STEP, Did.BACKWARD, Did.ESCAPE})
    needs = frozenset({Did.SCHEDULER_STEP, Did.BACKWARD})
    start: State = None

    def __init__(self, execution: Execution, scheduler: Object) -> None:
        self._scheduler = scheduler
        self._order = {id(event): n for n, event in enumerate(execution.events)}
        self.found: list[Event] = []

    def after(self, event: Event, state: State, world: World) -> State:
        if state == LATE or event.did in (Did.STEP, Did.ESCAPE):
            return LATE
        if event.did is Did.BACKWARD:
            return self._judge(event, state)
        ours = any(each is self._scheduler for each in event.objects)
        plain = world.holds(event.flag) is False
        return event if state is None and ours and plain else state

    def _judge(self, backward: Event, state: State) -> State:
        if not isinstance(state, Event):
            return state
        loops = [each.node for each in backward.loops]
        inside = (
            state.loops and state.loops[-1].node in loops
        )  # not one that catches up with epochs
        if inside and self._order[id(state)] < self._order[id(backward)]:
            self.found.append(state)
        return LATE
