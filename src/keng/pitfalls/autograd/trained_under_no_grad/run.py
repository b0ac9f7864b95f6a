"""A running program: layers that an optimizer holds run under `no_grad`, and stay as they were drawn."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any
from weakref import ref

import torch

from keng.model import Span, say
from keng.run.events import Forward, ForwardEnd, RootModule, Step, TorchFunction
from keng.run.frames import spoken, user_frames
from keng.run.optimizers import has_gradients, held_by
from keng.run.recorder import Recorder
from keng.run.state import RunState, tensors_in
from keng.run.user_code import code_of, line

if TYPE_CHECKING:
    from torch import Tensor

    from keng.source.code import Code

SHOWN = 3
STEPS = 3
"""After which they have still had no gradient, and another optimizer has not given them one."""
UNTIL = 30
"""Steps in which modules that the program calls itself are checked."""
FRESH = 1
"""Version of a weight that its constructor has drawn and nothing has written to since. One that was loaded
is used as it is, on purpose most often."""


class UnrecordedLayers(Recorder):
    """Follows what is computed without a graph through one forward, or from one module to the next, to a
    layer that learns. A target network and a fixed metric lead to a loss and to no layer."""

    dormant = (Forward, ForwardEnd, Step)
    sampled = (ForwardEnd,)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.dark: dict[int, ref[Tensor]] = {}
        self.weights: list[ref[Tensor]] = []
        self.place: Span | None = None
        self.fed = False
        self.looks = 0
        self.steps = 0

    def root_module(self, event: RootModule) -> None:
        self.listen(Forward, ForwardEnd, Step)

    def forward(self, event: Forward) -> None:
        module = event.module
        if not torch.is_grad_enabled() or not module.training:
            return
        if (
            self.dark
            and self._are_dark(event.inputs)
            and any(p.requires_grad for p in module.parameters())
        ):
            self.fed = True

    def forward_end(self, event: ForwardEnd) -> None:
        if event.module.training and not torch.is_grad_enabled() and not self.fed:
            self._follow(list(event.module.parameters()), event.outputs)

    def torch_function(self, event: TorchFunction) -> None:
        """A function of torch's, within the forward that is probed."""
        if self.fed:
            return
        given = list(tensors_in((event.args, event.kwargs)))
        learning = [t for t in given if type(t) is torch.nn.Parameter and t.requires_grad]
        dark = self._are_dark(given)
        if dark and learning and torch.is_grad_enabled():
            self.fed = True
        elif dark:
            self._darken(t for t in tensors_in(event.result) if not t.requires_grad)
        if not torch.is_grad_enabled():
            self._follow(learning, tensors_in(event.result))

    def _follow(self, parameters: list[Any], results: Any) -> None:
        weights = [p for p in parameters if _is_untouched(p)]
        if not weights:
            return
        if self.place is None:
            self.place = _switched_off_at()
        if self.place is not None:
            self.weights += [ref(p) for p in weights]
            self._darken(results)

    def _darken(self, tensors: Any) -> None:
        self.dark.update((id(tensor), ref(tensor)) for tensor in tensors)

    def _are_dark(self, tensors: list[Tensor]) -> bool:
        return any(id(t) in self.dark and self.dark[id(t)]() is t for t in tensors)

    def step(self, event: Step) -> None:
        self.steps += 1
        self.dark.clear()
        if not self.fed:
            self.weights, self.place = [], None
        elif self._still(event.optimizer):
            return
        if self.fed or self.steps >= UNTIL:
            self.ignore(Forward, ForwardEnd, Step)

    def _still(self, optimizer: Any) -> bool:
        """Whether to check them again; reports at the last check."""
        trained = held_by([optimizer])
        known = {id(p): p for each in self.weights if (p := each()) is not None}
        weights = [p for key, p in known.items() if key in trained and _is_untouched(p)]
        if not has_gradients(optimizer):
            return True
        if not weights or not self._are_in_training(weights):
            return False
        self.looks += 1
        if self.looks < STEPS:
            return True
        names = [f"`{name}`" for name in self.run.parameter_names(weights) if name][:SHOWN]
        said = {"names": ", ".join(names), "optimizer": spoken(optimizer)}
        more = len(weights) - SHOWN
        several = say("several-never-learn", more=more, **said)
        says = several if more > 0 else say("never-learns", **said)
        self.report(says, where=self.place, parameters=len(weights))
        return False

    def _are_in_training(self, weights: list[Tensor]) -> bool:
        wanted = {id(weight) for weight in weights}
        modules = (module for root in list(self.run.roots) for module in root.modules())
        for module in modules:
            if module.training:
                wanted.difference_update(map(id, module._parameters.values()))
        return not wanted


def _is_untouched(parameter: Any) -> bool:
    fresh = parameter._version == FRESH and parameter.dim() > 1
    return fresh and parameter.requires_grad and parameter.grad is None


def _switched_off_at() -> Span | None:
    """The `with no_grad()`, or the function decorated so, that a frame of the user's runs in now, where
    it depends on no condition: one that does may be for some time only."""
    for frame in user_frames():
        code = code_of(frame)
        if code is None:
            continue
        body = code.tree.body_at(frame.f_lineno)
        for block in code.below(body, ast.With):
            if code.tree.covers(block, frame.f_lineno) and any(
                _turns_off(code, item.context_expr) for item in block.items
            ):
                return None if _is_conditional(code, body, block) else line(code, block)
        for decorator in getattr(body, "decorator_list", ()):
            if _turns_off(code, decorator):
                return line(code, decorator)
    return None


def _turns_off(code: Code, manager: ast.expr) -> bool:
    from keng.source.modes import Grad

    return code.modes.grad_mode_set_by(manager) is Grad.OFF


def _is_conditional(code: Code, body: ast.AST, block: ast.With) -> bool:
    """Whether a condition decides if a block is reached: around it, or by a return before it."""
    conditions = (each for each in code.below(body, ast.If) if each.lineno <= block.lineno)
    return any(code.tree.within(block, each) or code.below(each, ast.Return) for each in conditions)
