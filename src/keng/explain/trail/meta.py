"""Copies of tensors and of torch's own layers on the meta device."""

from __future__ import annotations

from typing import Any

from keng.explain.reasons.evaluation import attributes, is_a
from keng.explain.trail.steps import Unknown

STORES = ("_parameters", "_buffers", "_modules")
HOOKS = (
    *("_forward_hooks", "_forward_pre_hooks", "_backward_hooks", "_backward_pre_hooks"),
    *("_forward_hooks_with_kwargs", "_forward_pre_hooks_with_kwargs"),
    "_forward_hooks_always_called",
)
MOST_LAYERS = 400
LARGEST_CONTAINER = 200


class MetaCopies:
    """Copies what a function of torch is to be called with; each tensor once."""

    def __init__(self, torch: Any) -> None:
        self._torch = torch
        self._copies: dict[int, tuple[Any, Any]] = {}
        self._layers: dict[int, tuple[Any, Any]] = {}
        self._own: dict[int, Any] = {}

    def own(self, value: Any) -> Any:
        """Keeps a tensor that was computed here, so that it is recognized."""
        if is_a(value, self._torch.Tensor):
            self._own[id(value)] = value
        elif type(value) in (list, tuple) or is_a(value, tuple):
            for each in tuple.__iter__(value) if is_a(value, tuple) else list.__iter__(value):
                self.own(each)
        elif type(value) is dict:
            for each in value.values():
                self.own(each)
        return value

    def is_own(self, value: Any) -> bool:
        return id(value) in self._own

    def of(self, value: Any, depth: int = 0) -> Any:
        """The value with each tensor of the program replaced by its copy. Raises Unknown."""
        if is_a(value, self._torch.Tensor):
            return value if self.is_own(value) else self._copy(value)
        if type(value) in (list, tuple) and len(value) <= LARGEST_CONTAINER and depth < 4:
            return type(value)(self.of(each, depth + 1) for each in value)
        if type(value) is dict and len(value) <= LARGEST_CONTAINER and depth < 4:
            return {key: self.of(each, depth + 1) for key, each in value.items()}
        return value

    def _copy(self, tensor: Any) -> Any:
        known = self._copies.get(id(tensor))
        if known is not None:
            return known[1]
        if tensor.layout is not self._torch.strided or tensor.is_quantized or tensor.is_nested:
            raise Unknown
        copy = self._torch.empty_strided(
            tuple(tensor.shape), tuple(tensor.stride()), dtype=tensor.dtype, device="meta"
        )
        self._copies[id(tensor)] = tensor, copy
        return self.own(copy)

    def layer(self, module: Any) -> Any:
        """A copy of a layer of torch's whose parts are torch's too, without hooks: calling its `forward`
        changes nothing of the program's. Raises Unknown."""
        if len(self._layers) > MOST_LAYERS or not is_torchs(type(module)):
            raise Unknown
        known = self._layers.get(id(module))
        if known is None:
            stored = dict(attributes(module))
            stored["_parameters"] = self._parameters(stored["_parameters"])
            stored["_buffers"] = {name: self.of(b) for name, b in stored["_buffers"].items()}
            stored["_modules"] = {
                name: part and self.layer(part) for name, part in stored["_modules"].items()
            }
            stored |= {name: {} for name in HOOKS if name in stored}
            if "_flat_weights" in stored:
                stored["_flat_weights"] = [self.of(each) for each in stored["_flat_weights"]]
            copy = object.__new__(type(module))
            object.__getattribute__(copy, "__dict__").update(stored)
            known = self._layers[id(module)] = module, copy
        return known[1]

    def _parameters(self, held: dict[str, Any]) -> dict[str, Any]:
        return {name: None if each is None else self.of(each) for name, each in held.items()}


def is_torchs(kind: type) -> bool:
    """Whether a class of modules is one of torch's layers."""
    home = kind.__dict__.get("__module__", "")
    return type(home) is str and home.startswith(("torch.nn.modules.", "torch.ao.nn."))
