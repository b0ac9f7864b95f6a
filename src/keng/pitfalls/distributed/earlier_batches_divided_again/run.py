"""A running program: a pipeline schedule divides gradients that an earlier call of it has divided."""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from keng.model import say
from keng.run.events import Backward, StageGradientsDivided, Step, ZeroGrad
from keng.run.frames import here
from keng.run.recorder import Recorder
from keng.run.state import RunState, unwatched

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module


class DividedGradients(Recorder):
    """The stages whose gradients have been divided, until they are cleared: with the gradients themselves."""

    dormant = (Backward, ZeroGrad, Step)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.divided: WeakKeyDictionary[Module, list[Tensor]] = WeakKeyDictionary()

    def stage_gradients_divided(self, event: StageGradientsDivided) -> None:
        gradients = [p.grad for p in event.module.parameters() if p.grad is not None]
        known = {id(each) for each in self.divided.get(event.module, ())}
        if any(id(each) in known for each in gradients):
            name = self.run.module_name(event.module)
            self.report(say("divided-again", model=name, chunks=event.by), where=here())
        self.divided[event.module] = gradients
        self.listen(Backward, ZeroGrad, Step)

    def backward(self, event: Backward) -> None:
        """What the program has set to zero itself holds no earlier batch."""
        for gradients in self.divided.values():
            with unwatched():
                gradients[:] = [each for each in gradients if bool(each.any())]

    def zero_grad(self, event: ZeroGrad) -> None:
        self.divided.clear()

    def step(self, event: Step) -> None:
        """Gradients that are kept over a step are another mistake."""
        self.divided.clear()
