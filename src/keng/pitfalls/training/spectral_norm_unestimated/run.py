"""A running program: a layer under `spectral_norm` is used before its norm was ever estimated."""

from __future__ import annotations

from collections.abc import Iterator

from torch.nn import Module
from torch.nn.utils.spectral_norm import SpectralNorm

from keng.model import say
from keng.pitfalls.training._shared_run import named_layers
from keng.run.events import RootModule
from keng.run.recorder import Recorder


class SpectralNorms(Recorder):
    def root_module(self, event: RootModule) -> None:
        layers = [] if event.module.training else list(_never_estimated(event.module))
        if layers:
            name = self.run.module_name(event.module)
            self.report(say("never-estimated", module=name, layers=named_layers(name, layers)))


def _never_estimated(module: Module) -> Iterator[tuple[str, Module]]:
    """Layers under the old `spectral_norm`, which estimates in training mode alone: its vectors are as
    they were drawn, and no state was loaded into them."""
    for path, layer in module.named_modules():
        for hook in layer._forward_pre_hooks.values():
            if isinstance(hook, SpectralNorm):
                drawn = getattr(layer, f"{hook.name}_u")
                if drawn._version == 0:
                    yield path, layer
