"""Models inside wrappers, and parts of models that must not learn."""

from __future__ import annotations

from typing import Any

from torch import nn
from torch.utils.hooks import RemovableHandle

HELD_IN = {
    "DataParallel": "module",
    "DistributedDataParallel": "module",
    "FullyShardedDataParallel": "module",
    "OptimizedModule": "_orig_mod",
    "DeepSpeedEngine": "module",
}
"""The attribute in which a wrapper holds the model, by the wrapper's class."""


def unwrap(model: nn.Module) -> nn.Module:
    """The bare model inside DataParallel, DistributedDataParallel, FSDP, torch.compile or DeepSpeed,
    in any order and depth; a bare model is returned as it is.

    For names in a state_dict, for methods, and for export. Call the wrapped one to train: the
    wrapper's `forward` is what synchronizes gradients.
    """
    while attribute := _holder(model):
        model = getattr(model, attribute)
    return model


def _holder(model: nn.Module) -> str | None:
    # By name: importing torch.compile's and FSDP's classes to ask about them costs a second.
    classes = (HELD_IN.get(kind.__name__) for kind in type(model).__mro__)
    return next(filter(None, classes), None)


class Frozen:
    """What `freeze` changed; `remove()` gives it back, as the handle of a hook does."""

    def __init__(self, module: nn.Module) -> None:
        self._learned = [p for p in module.parameters() if p.requires_grad]
        self._training = [m for m in module.modules() if m.training]
        self._hooks: list[RemovableHandle] = []
        try:
            for part in module.modules():
                self._hooks.append(part.register_forward_pre_hook(_evaluate))
                part.eval()
            for parameter in self._learned:
                parameter.requires_grad_(False)
        except Exception:
            self.remove()
            raise
        for parameter in self._learned:
            parameter.grad = None

    def remove(self) -> None:
        """Learns again: parameters and modes as they were before."""
        for hook in self._hooks:
            hook.remove()
        for parameter in self._learned:
            parameter.requires_grad_(True)
        for part in self._training:
            part.training = True


def freeze(module: nn.Module) -> Frozen:
    """Stops a module from learning in all three ways: its parameters get no gradients (and lose those
    they have, or an optimizer with weight decay or momentum would still move them), dropout passes
    everything, and batch norm neither uses nor updates statistics of the batch.

    It stays in evaluation mode when `model.train()` is called on what holds it: each forward puts it
    back. Gradients still pass through it to what lies before. The hooks survive `copy.deepcopy` and
    pickling. `freeze(module).remove()` undoes it. Raises, and changes nothing: RuntimeError where a part
    is TorchScript, which takes no hooks; ValueError for parameters that are not initialized yet.
    """
    return Frozen(module)


def _evaluate(module: nn.Module, _: Any) -> None:
    if module.training:
        module.eval()
