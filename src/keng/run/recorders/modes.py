"""Modules that are trained in eval mode after they were trained in training mode."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, WeakSet

from keng.model import Span
from keng.run.events import ForwardEnd, Paused, Step
from keng.run.frames import here
from keng.run.moments import TrainedInEval
from keng.run.recorder import Recorder
from keng.run.recorders.evaluations import follows_mode
from keng.run.state import Facts, RunState

if TYPE_CHECKING:
    from torch.nn import Module

STEPS = 2


class ModeFacts(Facts):
    def __init__(self, module: Module, place: Span | None) -> None:
        self._module, self._place = module, place

    def place(self) -> Span | None:
        """The forward in eval mode."""
        return self._place

    def mode_layers(self) -> tuple[str, ...]:
        layers = self._module.named_modules()
        return tuple(n for n, layer in layers if follows_mode(layer) and self._learns(n, layer))

    def _learns(self, name: str, layer: Module) -> bool:
        """Whether it has parameters that train, or stands among such: what is frozen may well be left
        in eval mode."""
        while name and next(layer.parameters(), None) is None:
            name = name.rpartition(".")[0]
            layer = self._module.get_submodule(name)
        return any(parameter.requires_grad for parameter in layer.parameters())


class Modes(Recorder):
    """The mode of the last forward before the step counts: an attack may run the model in eval mode
    in between."""

    provides = ("trained.in.eval",)
    sampled = (ForwardEnd, Step)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.ran: dict[Module, bool] = {}
        self.once: WeakSet[Module] = WeakSet()
        self.place: Span | None = None
        self.steps: WeakKeyDictionary[Module, int] = WeakKeyDictionary()

    def paused(self, event: Paused) -> None:
        self.ran = {}
        self.steps.clear()

    def forward_end(self, event: ForwardEnd) -> None:
        module = event.module
        if self.run.marked is None:
            return
        self.ran[module] = module.training
        if not module.training and module in self.once:
            self.place = here()

    def step(self, event: Step) -> None:
        ran, self.ran = self.ran, {}
        for module, training in ran.items():
            if training:
                self.once.add(module)
                self.steps.pop(module, None)
            elif module in self.once and _moves(event.optimizer, module):
                steps = self.steps[module] = self.steps.get(module, 0) + 1
                if steps == STEPS:
                    self._say(module)

    def _say(self, module: Module) -> None:
        facts = ModeFacts(module, self.place)
        name = self.run.module_name(module)
        self.run.show("trained.in.eval", TrainedInEval(self.run.step, facts, name, STEPS))


def _moves(optimizer: Any, module: Module) -> bool:
    held = {id(p) for group in optimizer.param_groups for p in group["params"]}
    return any(id(parameter) in held for parameter in module.parameters())
