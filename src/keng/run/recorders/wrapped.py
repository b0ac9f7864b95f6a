"""Modules that a wrapper or a norm keeps a state for, which is not there (any more)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from keng.run.bus import Recorder
from keng.run.moments import MovedModule, UntrainedNorm
from keng.run.state import Facts

if TYPE_CHECKING:
    from torch.nn import Module


class Wrapped(Recorder):
    makes = ("module.moved", "module.untrained")

    def applied(self, module: Any) -> None:
        from torch.nn.parallel import DistributedDataParallel

        if isinstance(module, DistributedDataParallel):
            name = self.scene.module_name(module)
            self.scene.show("module.moved", MovedModule(self.scene.step, Facts(), name))

    def root(self, module: Any) -> None:
        if not module.training and (layers := tuple(_never_estimated(module))):
            name = self.scene.module_name(module)
            moment = UntrainedNorm(self.scene.step, Facts(), name, layers)
            self.scene.show("module.untrained", moment)


def _never_estimated(module: Module) -> Iterator[str]:
    """Layers under the old `spectral_norm`, which estimates in training mode alone: its vectors are
    as they were drawn, and no state was loaded into them."""
    from torch.nn.utils.spectral_norm import SpectralNorm

    for path, layer in module.named_modules():
        for hook in layer._forward_pre_hooks.values():
            if isinstance(hook, SpectralNorm):
                drawn = getattr(layer, f"{hook.name}_u")
                if drawn._version == 0:
                    yield path or type(layer).__name__
