"""An automaton: a distributed sampler begins another pass in the same epoch."""

from __future__ import annotations

from typing import NamedTuple

from keng.source.execution.automaton import State
from keng.source.execution.events import Did, Event
from keng.source.execution.values import Object, Role, Symbol, leaves
from keng.source.execution.worlds import World


class Passes(NamedTuple):
    """The number of passes over the data, and the loop of the present one."""

    times: int = 0
    loop: object = None
    over: bool = False


class SameOrder:
    """Reports the backward of a second pass over a sampler that never got an epoch."""

    kinds = frozenset({Did.EPOCH_BEGIN, Did.SET_EPOCH, Did.BACKWARD, Did.ESCAPE})
    needs = frozenset({Did.EPOCH_BEGIN, Did.BACKWARD})
    start: State = Passes()

    def __init__(self, sampler: Object) -> None:
        self.sampler = sampler
        self.found: list[Event] = []

    def after(self, event: Event, state: State, world: World) -> State:
        assert isinstance(state, Passes), "the rule's own"
        if state.over:
            return state
        if event.did in (Did.SET_EPOCH, Did.ESCAPE):
            return Passes(over=True) if self._concerns(event) else state
        if event.did is Did.EPOCH_BEGIN:
            passes = any(self._is_sampled(each, world) for each in event.objects)
            return Passes(min(state.times + 1, 2), event.node) if passes else state
        if state.times == 2 and any(each.node is state.loop for each in event.loops):
            self.found.append(event)
            return Passes(over=True)
        return state

    def _concerns(self, event: Event) -> bool:
        """Whether the sampler, its loader or an unknown object is given an epoch or to unknown code."""
        for each in [leaf for value in event.objects for leaf in leaves(value)]:
            holds = isinstance(each, Object) and self.sampler in _samplers(each)
            if each is self.sampler or isinstance(each, Symbol) or holds:
                return True
        return False

    def _is_sampled(self, loader: object, world: World) -> bool:
        if not isinstance(loader, Object):
            return False
        return world.may_be(loader.fields.get("sampler"), self.sampler)


def _samplers(loader: Object) -> list[object]:
    sampler = loader.fields.get("sampler") if loader.role is Role.LOADER else None
    return list(leaves(sampler)) if sampler is not None else []
