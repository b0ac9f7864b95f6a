"""A running program: a frozen part still changes through its batch statistics."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from torch.nn.modules.batchnorm import _NormBase

from keng.model import say
from keng.pitfalls.training._shared_run import named_layers
from keng.run.events import ForwardEnd, RootModule
from keng.run.optimizers import holds, optimizers, sample_of
from keng.run.recorder import Recorder
from keng.run.state import RunState, unwatched

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module

LOOKS = (2, 20, 200, 400, 800, 1600)
BEFORE = (1, 10, 100, 350, 700, 1500)
"""What an average of other weights keeps moving has moved between this call and the look. The later ones
are for what is frozen in a second phase."""

STEPS = 2


@dataclass(slots=True)
class State:
    """Of a parameter: its version, where its values lie, and some of them: what is written through `.data`
    moves nothing else."""

    version: int
    at: int
    sample: Tensor

    def stays(self, parameter: Any) -> bool:
        """A device is waited for where all else is as it was."""
        if (parameter._version, parameter.data_ptr()) != (self.version, self.at):
            return False
        with unwatched():
            return bool(self.sample.equal(sample_of(parameter)))


@dataclass(slots=True)
class Untrained:
    """A module in training mode that has run without a graph, and the state of its first parameter,
    which an average of another's weights would move."""

    step: int
    state: State


class FrozenNormStatistics(Recorder):
    """Frozen layers of a module that is trained, and modules that are not trained at all while others
    are."""

    dormant = (ForwardEnd,)
    sampled = dormant

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.calls: WeakKeyDictionary[Module, int] = WeakKeyDictionary()
        self.frozen: WeakKeyDictionary[Module, dict[str, State]] = WeakKeyDictionary()
        self.untrained: WeakKeyDictionary[Module, Untrained | None] = WeakKeyDictionary()

    def root_module(self, event: RootModule) -> None:
        if any(isinstance(layer, _NormBase) for layer in event.module.modules()):
            self.listen(ForwardEnd)

    def forward_end(self, event: ForwardEnd) -> None:
        module = event.module
        if not module.training or not event.outputs:
            return
        if event.outputs[0].grad_fn is None:
            self._run_untrained(module)
            return
        self.untrained[module] = None
        calls = self.calls[module] = self.calls.get(module, 0) + 1
        if calls in LOOKS or calls in BEFORE:
            frozen = [(path, layer) for path, layer in _norms(module) if not _any_trains(layer)]
            known = self.frozen.get(module, {})
            if calls in LOOKS:
                self._show(
                    module, [(p, o) for p, o in frozen if p in known and _stays(known[p], o)]
                )
            else:
                self.frozen[module] = {p: _state(next(o.parameters())) for p, o in frozen}

    def _run_untrained(self, module: Module) -> None:
        first = next(module.parameters(), None)
        if first is None:
            return
        if module not in self.untrained:
            self.untrained[module] = Untrained(self.run.step, _state(first))
        known = self.untrained[module]
        if known is None and module in self.calls and not first.requires_grad:
            # It was trained, and is frozen now: a teacher.
            del self.calls[module]
            known = self.untrained[module] = Untrained(self.run.step, _state(first))
        if known is None or self.run.step - known.step != STEPS:
            return
        if not known.state.stays(first):
            self.untrained[module] = None
        elif not _is_to_learn(first):
            self._show(module, _norms(module))

    def _show(self, module: Module, layers: list[tuple[str, Module]]) -> None:
        if layers:
            name = self.run.module_name(module)
            says = say("frozen-layers-move", module=name, layers=named_layers(name, layers))
            self.report(says, layers=len(layers))


def _is_to_learn(parameter: Any) -> bool:
    """Whether some optimizer holds it: its turn may come, as that of a GAN's generator."""
    return any(holds(optimizer, parameter) for optimizer in optimizers())


def _state(parameter: Any) -> State:
    with unwatched():
        return State(parameter._version, parameter.data_ptr(), sample_of(parameter))


def _stays(state: State, layer: Module) -> bool:
    return state.stays(next(layer.parameters()))


def _norms(module: Module) -> list[tuple[str, Module]]:
    """Batch norms that update running statistics now, and have parameters."""
    return [
        (path, layer)
        for path, layer in module.named_modules()
        if isinstance(layer, _NormBase)
        and layer.training
        and layer.track_running_stats
        and next(layer.parameters(), None) is not None
    ]


def _any_trains(module: Module) -> bool:
    return any(parameter.requires_grad for parameter in module.parameters())
