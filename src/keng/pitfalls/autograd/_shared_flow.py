"""What several pitfalls of autograd ask of the gradients that flow through a program as it runs."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import NamedTuple

from keng.model import Hit, Hits, say
from keng.source import Code
from keng.source.code import once_per_file
from keng.source.execution.automaton import State
from keng.source.execution.events import Did, Event
from keng.source.execution.program import Execution
from keng.source.execution.values import Constant, Cut, Object, Role, Value
from keng.source.execution.worlds import World

DETACHED = frozenset({".detach()", ".detach_()"})
UNRECORDED = frozenset({"no_grad", "inference_mode", "@no_grad", "@inference_mode"})
CONVERTED = frozenset(
    [
        *(".data", ".item()", ".numpy()", ".tolist()", ".argmax()", "tensor()", "as_tensor()"),
        *("from_numpy()", "array()", "asarray()", "float()", "int()"),
    ]
)
"""What cuts gradients, as `Cut.how` names it."""


class Starved(NamedTuple):
    """An optimizer steps although every way from the losses to its parameters is cut."""

    optimizer: Object
    backward: Event
    step: Event
    cut: Cut


class _Fed(NamedTuple):
    """`backward` is the last loss that a cut keeps from all of the optimizer's; `fed` where another one
    has reached it."""

    fed: bool = False
    backward: Event | None = None


class NeverReached:
    """Reports an optimizer that steps after losses which a cut keeps away from all that it holds."""

    kinds = frozenset({Did.BACKWARD, Did.STEP, Did.ESCAPE, Did.GRADIENT_SET})
    needs = frozenset({Did.BACKWARD, Did.STEP})
    start: State = _Fed()

    def __init__(self, execution: Execution, optimizer: Object) -> None:
        self._execution = execution
        self._optimizer = optimizer
        self.found: list[Starved] = []

    def after(self, event: Event, state: State, world: World) -> State:
        assert isinstance(state, _Fed), "the rule's own"
        if event.did is Did.BACKWARD:
            return self._after_backward(event, state)
        if event.did is Did.GRADIENT_SET:
            return _Fed(fed=True)
        if not any(each is self._optimizer for each in event.objects):
            return state
        if event.did is Did.ESCAPE:
            return _Fed(fed=True)
        cut = self._cut_of(state.backward.objects[0]) if state.backward is not None else None
        if cut is not None and state.backward is not None and not state.fed:
            self.found.append(Starved(self._optimizer, state.backward, event, cut))
        return _Fed()

    def _after_backward(self, event: Event, state: _Fed) -> _Fed:
        gradient = self._execution.gradient_of(event.objects[0])
        reached = self._execution.reaches(self._optimizer, gradient.sources)
        if reached or not gradient.known:
            return _Fed(fed=True)
        if self._cut_of(event.objects[0]) is not None:
            return _Fed(state.fed, event)
        return state

    def _cut_of(self, loss: Value) -> Cut | None:
        """The first cut between a loss and what the optimizer holds."""
        cuts = self._execution.gradient_of(loss).cuts
        ours = [cut for cut in cuts if self._execution.reaches(self._optimizer, cut.sources)]
        return min(ours, key=lambda cut: getattr(cut.node, "lineno", 0), default=None)


@once_per_file
def starved_optimizers(code: Code) -> list[Starved]:
    """The optimizers of a file that step on nothing, each once."""
    found: list[Starved] = []
    backwards = [each for each in code.execution.events if each.did is Did.BACKWARD]
    gradients = [code.execution.gradient_of(each.objects[0]) for each in backwards]
    cut = frozenset[int]().union(*(c.sources for each in gradients for c in each.cuts))
    for optimizer in code.execution.objects(Role.OPTIMIZER):
        held = optimizer.of and not optimizer.given
        if held and code.execution.reaches(optimizer, cut):
            found += code.execution.watched(NeverReached(code.execution, optimizer)).found[:1]
    return found


def steps_on_nothing(code: Code, cuts: frozenset[str], shown: Iterable[Hit]) -> Hits:
    """The losses after which an optimizer steps on no gradient because of one of some cuts, where no
    other rule has shown it. A loss that reaches nothing at all raises, which is another pitfall's."""
    starved = starved_optimizers(code)
    known = list(shown) if starved else []
    for each in starved:
        gradient = code.execution.gradient_of(each.backward.objects[0])
        place = each.backward.place
        raises = not gradient.sources
        if each.cut.how not in cuts or raises or code.execution.is_shown(place, known):
            continue
        says = say(
            "steps-on-nothing",
            optimizer=code.execution.named(each.step) or "the optimizer",
            cut=each.cut.how,
            where=code.execution.where(each.cut),
        )
        yield code.hit(place, says)


@once_per_file
def losses_without_sources(code: Code) -> list[tuple[Event, Cut]]:
    """The backward calls on a loss that nothing trainable reaches, with the first cut on its way."""
    found: dict[ast.AST, tuple[Event, Cut]] = {}
    for event in code.execution.events:
        if event.did is not Did.BACKWARD or not _is_recorded(event):
            continue
        gradient = code.execution.gradient_of(event.objects[0])
        if gradient.known and not gradient.sources and gradient.cuts:
            first = min(gradient.cuts, key=lambda cut: getattr(cut.node, "lineno", 0))
            found.setdefault(event.place, (event, first))
    return list(found.values())


def _is_recorded(event: Event) -> bool:
    return isinstance(event.recorded, Constant) and bool(event.recorded.value)
