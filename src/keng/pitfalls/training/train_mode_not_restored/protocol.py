"""An automaton: a model that was trained in training mode is trained in eval mode."""

from __future__ import annotations

from typing import NamedTuple

from keng.pitfalls.training._shared_execution import in_one_function
from keng.source.execution.automaton import State
from keng.source.execution.events import Did, Event
from keng.source.execution.program import Execution
from keng.source.execution.values import Constant, Object, Role, Symbol
from keng.source.execution.worlds import World


class Mode(NamedTuple):
    """The mode of a model, None where it is not known; the switch to it, whether the model was evaluated
    in it, the last forward that autograd records, whether a loss went back through that, and whether the
    model was trained before."""

    training: bool | None = True
    switch: Event | None = None
    evaluated: bool = False
    forward: Event | None = None
    lost: bool = False
    trained: bool = False


class TrainedInEval:
    """Reports the forward of an update in eval mode, with the switch, after updates in training mode."""

    kinds = frozenset({Did.FORWARD, Did.TRAIN_MODE_SET, Did.BACKWARD, Did.ESCAPE, Did.STEP})
    needs = frozenset({Did.FORWARD, Did.TRAIN_MODE_SET, Did.BACKWARD, Did.STEP})
    start: State = Mode()

    def __init__(self, execution: Execution, model: Object | Symbol) -> None:
        self._execution = execution
        self._model = model
        self.found: list[tuple[Event, Event]] = []

    def after(self, event: Event, state: State, world: World) -> State:
        assert isinstance(state, Mode), "the rule's own"
        if event.did is Did.TRAIN_MODE_SET:
            return self._switched(event, state, world)
        if event.did is Did.ESCAPE and any(each is self._model for each in event.objects):
            return Mode(None, trained=state.trained)
        if event.did is Did.FORWARD and any(each is self._model for each in event.objects):
            return self._called(event, state, world)
        if event.did is Did.BACKWARD and state.forward is not None:
            sources = self._execution.gradient_of(event.objects[0]).sources
            return state._replace(lost=state.lost or self._model.number in sources)
        return self._stepped(event, state) if event.did is Did.STEP else state

    def _switched(self, event: Event, state: Mode, world: World) -> Mode:
        if any(self._execution.is_part_of(self._model, each) for each in event.objects):
            return Mode(world.holds(event.flag), event, trained=state.trained)
        unknown = any(isinstance(each, Symbol) for each in event.objects)
        return Mode(None, trained=state.trained) if unknown else state

    def _called(self, event: Event, state: Mode, world: World) -> Mode:
        records = world.holds(event.recorded)
        if records is False or _is_meant(event, state.switch):
            return state._replace(evaluated=True)
        return state._replace(forward=event, lost=False) if records else state

    def _stepped(self, event: Event, state: Mode) -> Mode:
        ours = [
            each
            for each in event.objects
            if isinstance(each, Object)
            and each.role is Role.OPTIMIZER
            and self._execution.reaches(each, frozenset({self._model.number}))
        ]
        if not ours or not state.lost:
            return state
        wrong = state.training is False and state.trained and state.evaluated
        if wrong and state.switch and state.forward:
            self.found.append((state.forward, state.switch))
        return state._replace(
            forward=None, lost=False, trained=state.trained or bool(state.training)
        )


def _is_meant(forward: Event, switch: Event | None) -> bool:
    """Whether a forward is in the function that has switched the model to eval mode: it is meant for it."""
    evaluates = switch is not None and isinstance(switch.flag, Constant) and not switch.flag.value
    return switch is not None and evaluates and in_one_function(forward, switch)
