"""An automaton: gradients of a micro-batch are cleared before the step that they are for."""

from __future__ import annotations

from typing import NamedTuple

from keng.source.execution.automaton import State
from keng.source.execution.events import Did, Event
from keng.source.execution.program import Execution
from keng.source.execution.values import Symbol, Value
from keng.source.execution.worlds import World


class Gradients(NamedTuple):
    """The last backward whose gradients an optimizer has, and the call that cleared those of one before."""

    backward: Event | None = None
    lost: Event | None = None


class ClearedInAccumulation:
    """Reports a `zero_grad()` in every iteration where the optimizer steps in every k-th, with the step."""

    kinds = frozenset({Did.BACKWARD, Did.STEP, Did.ZERO_GRAD, Did.ESCAPE, Did.GRADIENT_SET})
    needs = frozenset({Did.BACKWARD, Did.ZERO_GRAD, Did.STEP})
    start: State = Gradients()

    def __init__(self, execution: Execution, optimizer: Value) -> None:
        self._execution = execution
        self._optimizer = optimizer
        self.found: list[tuple[Event, Event]] = []

    def after(self, event: Event, state: State, world: World) -> State:
        assert isinstance(state, Gradients), "the rule's own"
        if event.did is Did.BACKWARD:
            gradient = self._execution.gradient_of(event.objects[0])
            if self._execution.reaches(self._optimizer, gradient.sources):
                return state._replace(backward=event)
            return state if gradient.known else state._replace(backward=event)
        ours = any(each is self._optimizer for each in event.objects)
        if event.did is Did.ZERO_GRAD:
            return self._cleared(event, state, ours)
        if event.did is Did.STEP and ours:
            self._judge(event, state)
        return Gradients() if ours or event.did is Did.GRADIENT_SET else state

    def _cleared(self, event: Event, state: Gradients, ours: bool) -> Gradients:
        backward = state.backward
        lost = ours and backward is not None and event.loops == backward.loops and event.loops
        if lost and not self._counts(event.path):
            return Gradients(None, event)
        unknown = any(isinstance(each, Symbol) for each in event.objects)
        return Gradients() if ours or unknown else state

    def _judge(self, step: Event, state: Gradients) -> None:
        if state.backward is None or state.lost is None:
            return
        apart = [each for each in step.path if each not in state.backward.path]
        same = state.backward.node is not None and step.loops == state.lost.loops
        if same and self._counts(tuple(apart)):
            self.found.append((state.lost, step))

    def _counts(self, path: tuple[Value, ...]) -> bool:
        return any(self._execution.counts(each) for each in path)
