"""Modules that a wrapper or a norm keeps a state for, which is not there (any more)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from keng.run.events import ModuleMoved, RootModule
from keng.run.moments import MovedModule, UntrainedNorm
from keng.run.recorder import Recorder
from keng.run.state import Facts

if TYPE_CHECKING:
    from torch.nn import Module


class Wrapped(Recorder):
    provides = ("module.moved", "module.untrained")

    def module_moved(self, event: ModuleMoved) -> None:
        from torch.nn.parallel import DistributedDataParallel

        if isinstance(event.module, DistributedDataParallel):
            name = self.run.module_name(event.module)
            self.run.show("module.moved", MovedModule(self.run.step, Facts(), name))

    def root_module(self, event: RootModule) -> None:
        module = event.module
        if not module.training and (layers := tuple(_never_estimated(module))):
            name = self.run.module_name(module)
            moment = UntrainedNorm(self.run.step, Facts(), name, layers)
            self.run.show("module.untrained", moment)


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
