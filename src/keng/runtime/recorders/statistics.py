"""Running statistics that move in frozen layers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from torch.nn.modules.batchnorm import _NormBase

from keng.moments import MovedStatistics
from keng.runtime.bus import Recorder
from keng.runtime.scene import Facts, Scene

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module

LOOKS = (2, 20, 200)


class Statistics(Recorder):
    makes = ("statistics.moved",)

    def __init__(self, scene: Scene) -> None:
        super().__init__(scene)
        self.calls: WeakKeyDictionary[Module, int] = WeakKeyDictionary()

    def forward_end(self, module: Any, inputs: list[Tensor], outputs: list[Tensor]) -> None:
        if not module.training or not outputs or outputs[0].grad_fn is None:
            return
        calls = self.calls[module] = self.calls.get(module, 0) + 1
        if calls in LOOKS and any(p.requires_grad for p in module.parameters()):
            layers = tuple(path for path, layer in module.named_modules() if _drifts(layer))
            if layers:
                name = self.scene.module_name(module)
                moment = MovedStatistics(self.scene.step, Facts(), name, layers)
                self.scene.show("statistics.moved", moment)


def _drifts(layer: Any) -> bool:
    if not isinstance(layer, _NormBase) or not layer.training or not layer.track_running_stats:
        return False
    own = list(layer.parameters())
    return bool(own) and not any(parameter.requires_grad for parameter in own)
