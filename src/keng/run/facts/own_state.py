"""States that modules are given back, and that are no copies but their own memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, ref

from keng.model import Span
from keng.run.events import StateLoading, StateTaken
from keng.run.frames import here
from keng.run.optimizers import sample_of
from keng.run.recorder import Fact, Recorder
from keng.run.state import RunState, unwatched

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module


TIMES = 2


class OwnStateLoaded(Fact):
    """The state that is loaded into `module` is the module's own memory: the load changes nothing. It
    was taken at `step`, on the line `taken_at`; `changed` where the values have changed since, and
    those are lost. `times` counts, up to `TIMES`, the steps at which one line has loaded a state that
    was taken at the same step; 0 for others."""

    module: Module
    step: int
    changed: bool
    taken_at: Span | None
    times: int


@dataclass(slots=True)
class Taken:
    """A state by its first parameter: whoever puts the values into another dictionary keeps that
    tensor."""

    held: ref[Tensor]
    sample: Tensor
    step: int
    place: Span | None

    def has_changed(self, held: Tensor) -> bool:
        return not bool((sample_of(held) == self.sample).all())


class TakenStates(Recorder):
    """The states that are still there, to be found again when one is loaded."""

    provides = (OwnStateLoaded,)

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
            return  # torch will raise
        pairs = list(_pairs(module, event.state))
        if not pairs or any(own.data_ptr() != given.data_ptr() for own, given in pairs):
            return
        for each in self.taken:
            held = each.held()
            if held is None or all(held is not given for _, given in pairs):
                continue
            with unwatched():
                changed = each.has_changed(held)
            times = self._times(module) if not changed and each.step == self.run.step else 0
            self.show(OwnStateLoaded(self.run, module, each.step, changed, each.place, times))

    def _times(self, module: Module) -> int:
        """Once may be a trial, or the first time of what is a copy later."""
        steps = self.own.setdefault(module, {}).setdefault(here(), set())
        if self.run.step in steps or len(steps) == TIMES:
            return 0
        steps.add(self.run.step)
        return len(steps)


def _pairs(module: Any, state: Any) -> Iterator[tuple[Tensor, Tensor]]:
    """Parameters, and what is loaded into them."""
    for name, own in module.named_parameters():
        given = state.get(name)
        if given is not None and own.numel():
            yield own, given
