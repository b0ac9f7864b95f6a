"""States of modules that are kept for later, and are no copies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, ref

from keng.model import Span
from keng.run.events import StateLoading, StateTaken
from keng.run.frames import here
from keng.run.moments import LostState, OwnState
from keng.run.optimizers import held_by, optimizers, sample_of
from keng.run.recorder import Recorder
from keng.run.state import Facts, PlaceFacts, RunState, unwatched

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module


TIMES = 2


@dataclass(slots=True)
class Taken:
    """By its first parameter, as the state holds it: who puts the values into a dictionary of his own
    keeps that."""

    held: ref[Tensor]
    sample: Tensor
    step: int
    place: Span | None

    def has_changed(self, held: Tensor) -> bool:
        return not bool((sample_of(held) == self.sample).all())


class KeptStates(Recorder):
    """What a state is loaded from is its module's own memory: the load changes nothing, and what the
    values were when it was taken is gone, where they have changed since."""

    provides = ("state.lost", "state.own")

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.taken: list[Taken] = []
        self.own: WeakKeyDictionary[Module, dict[Span | None, set[int]]] = WeakKeyDictionary()

    def state_taken(self, event: StateTaken) -> None:
        self.taken = [each for each in self.taken if each.held() is not None]
        first = next(
            (
                event.state[name]
                for name, _ in event.module.named_parameters()
                if name in event.state
            ),
            None,
        )
        if first is not None and first.numel():
            with unwatched():
                step, sample = self.run.step, sample_of(first)
                self.taken.append(Taken(ref(first), sample, step, here()))

    def state_loading(self, event: StateLoading) -> None:
        module = event.module
        if not isinstance(event.state, Mapping):
            return  # it is to be refused
        pairs = list(_pairs(module, event.state))
        if not pairs or any(own.data_ptr() != given.data_ptr() for own, given in pairs):
            return
        for each in self.taken:
            held = each.held()
            if held is None or all(held is not given for _, given in pairs):
                continue
            with unwatched():
                changed = each.has_changed(held)
            if changed:
                name = self.run.module_name(module)
                facts = PlaceFacts(each.place)
                moment = LostState(self.run.step, facts, name, self.run.step - each.step)
                self.run.show("state.lost", moment)
            elif each.step == self.run.step:
                self._take_own(module)

    def _take_own(self, module: Any) -> None:
        """Once may be a trial, or the first time of what is a copy later."""
        steps = self.own.setdefault(module, {}).setdefault(here(), set())
        if len(steps) == TIMES:
            return
        steps.add(self.run.step)
        trained = held_by(optimizers()) if len(steps) == TIMES else set()
        if any(id(p) in trained for p in module.parameters()):
            name = self.run.module_name(module)
            self.run.show("state.own", OwnState(self.run.step, Facts(), name, TIMES))


def _pairs(module: Any, state: Any) -> Iterator[tuple[Tensor, Tensor]]:
    """Parameters, and what is loaded into them."""
    for name, own in module.named_parameters():
        given = state.get(name)
        if given is not None and own.numel():
            yield own, given
