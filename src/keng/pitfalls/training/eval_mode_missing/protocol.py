"""An automaton: a model that was trained is run over batches without gradients, still in training mode."""

from __future__ import annotations

from typing import NamedTuple

from keng.pitfalls.training._shared_execution import in_one_function
from keng.source.execution.automaton import State
from keng.source.execution.events import Did, Event
from keng.source.execution.program import Execution
from keng.source.execution.values import Object, Symbol
from keng.source.execution.worlds import World


class Mode(NamedTuple):
    """The mode of a model, None where it is not known, and the switch to it; whether it was trained, and
    the loop whose batches come without gradients."""

    training: bool | None = True
    switch: Event | None = None
    trained: bool = False
    loop: object = None


class EvaluatedInTraining:
    """Reports forwards of an evaluation that nothing has switched the model for."""

    kinds = frozenset({Did.FORWARD, Did.TRAIN_MODE_SET, Did.BACKWARD, Did.BATCH, Did.ESCAPE})
    needs = frozenset({Did.FORWARD, Did.BACKWARD, Did.BATCH})
    start: State = Mode()

    def __init__(self, execution: Execution, model: Object | Symbol) -> None:
        self._execution = execution
        self._model = model
        self.found: list[Event] = []

    def after(self, event: Event, state: State, world: World) -> State:
        assert isinstance(state, Mode), "the rule's own"
        if event.did is Did.TRAIN_MODE_SET:
            return self._switched(event, state, world)
        if event.did is Did.BACKWARD:
            sources = self._execution.gradient_of(event.objects[0]).sources
            return state._replace(trained=state.trained or self._model.number in sources)
        if event.did is Did.BATCH:
            off = world.holds(event.recorded) is False
            return state._replace(loop=event.node if off else None)
        if not any(each is self._model for each in event.objects):
            return state
        if event.did is Did.ESCAPE:
            return state._replace(training=None)
        return self._called(event, state, world)

    def _switched(self, event: Event, state: Mode, world: World) -> Mode:
        if any(self._execution.is_part_of(self._model, each) for each in event.objects):
            return state._replace(training=world.holds(event.flag), switch=event)
        unknown = any(isinstance(each, Symbol) for each in event.objects)
        return state._replace(training=None) if unknown else state

    def _called(self, event: Event, state: Mode, world: World) -> Mode:
        inside = any(each.node is state.loop for each in event.loops)
        off = world.holds(event.recorded) is False
        meant = state.switch is not None and in_one_function(event, state.switch)
        if off and inside and state.trained and state.training and not meant:
            self.found.append(event)
        return state
