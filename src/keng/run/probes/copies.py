"""Copies of a model that can be run without the original noticing."""

from __future__ import annotations

import copy
import functools
import types
from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import Module

from keng.run.probes.texts import text

KEPT_HOOKS = ("torch", "transformers", "peft")
"""Libraries whose forward hooks are part of the model: spectral norm, recorded hidden states, adapters."""
OWN_SLOTS = ("_parameters", "_buffers", "_modules")


class NotCopied(Exception):  # noqa: N818
    """Why no copy of a model can be run apart from it: the id of a reason in text.toml, with its values."""

    def __init__(self, reason: str, **values: Any) -> None:
        super().__init__(reason)
        self.text = text(f"refused-{reason}", **values)


def unwrapped(model: Module) -> Module:
    """The model inside torch.compile, DataParallel and DistributedDataParallel. Raises: NotCopied."""
    while True:
        kind = type(model).__name__
        if kind == "OptimizedModule":
            model = model._orig_mod  # type: ignore[assignment]
        elif kind in ("DistributedDataParallel", "DataParallel"):
            model = model.module  # type: ignore[assignment]
        elif kind.startswith(("FullyShardedDataParallel", "FSDP")):
            raise NotCopied("sharded")
        else:
            return model


def copied(model: Module, share: bool = False) -> Module:
    """A copy with buffers of its own, and parameters of its own unless they are shared. The user's hooks are
    not copied. Raises: NotCopied."""
    memo: dict[int, Any] = {id(each): each for each in model.parameters()} if share else {}
    for module in model.modules():
        for name, value in vars(module).items():
            if name not in OWN_SLOTS:
                _detach_graphs(value, memo)
    try:
        new = copy.deepcopy(model, memo)
    except Exception as error:
        raise NotCopied("uncopied", error=f"{type(error).__name__}: {error}") from None
    for old, module in zip(model.modules(), new.modules(), strict=True):
        _drop_hooks(module)
        _rebind_functions(old, module, {id(each) for each in model.modules()}, memo)
    return new


def _rebind_functions(old: Module, new: Module, modules: set[int], memo: dict[int, Any]) -> None:
    """deepcopy keeps functions: those that hold modules of the original are made again with the copies."""
    for name, value in vars(old).items():
        if name not in OWN_SLOTS and _reaches(value, modules):
            new.__dict__[name] = _rebound(value, modules, memo)


def _rebound(value: Any, modules: set[int], memo: dict[int, Any]) -> Any:
    if id(value) in modules:
        return memo[id(value)]
    if isinstance(value, types.MethodType):
        return types.MethodType(value.__func__, _rebound(value.__self__, modules, memo))
    if not _reaches(value, modules) and not _holds(value, modules, 3):
        return value
    if isinstance(value, functools.partial):
        args = [_rebound(each, modules, memo) for each in value.args]
        named = {key: _rebound(each, modules, memo) for key, each in value.keywords.items()}
        return functools.partial(_rebound(value.func, modules, memo), *args, **named)
    if isinstance(value, dict):
        return {key: _rebound(each, modules, memo) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)([_rebound(each, modules, memo) for each in value])
    return _function_with(value, modules, memo)


def _function_with(function: types.FunctionType, modules: set[int], memo: dict[int, Any]) -> Any:
    """The same function over the copies of the modules in its closure and defaults."""
    cells = [types.CellType(_rebound(each, modules, memo)) for each in _closed_over(function)]
    defaults = tuple(_rebound(each, modules, memo) for each in function.__defaults__ or ()) or None
    new = types.FunctionType(
        function.__code__, function.__globals__, function.__name__, defaults, tuple(cells) or None
    )
    new.__kwdefaults__ = function.__kwdefaults__
    return new


def single(model: Module) -> Module:
    """The same module with half-precision parameters and buffers as float32: their rounding hides leaks."""
    half = (torch.float16, torch.bfloat16)
    tensors = [*model.parameters(), *model.buffers()]
    return model.float() if any(each.dtype in half for each in tensors) else model


def check_apart(model: Module) -> None:
    """Raises NotCopied where a copy would run code, or change state, of the original."""
    modules = {id(each) for each in model.modules()}
    for name, module in model.named_modules():
        for attribute, value in vars(module).items():
            if isinstance(value, types.FunctionType) and _names_globally(value, modules):
                where = f"{name or type(model).__name__}.{attribute}"
                raise NotCopied("global", names=f"`{where}`")
    if any(type(each).__name__ == "DTensor" for each in model.parameters()):
        raise NotCopied("sharded")


def _names_globally(function: types.FunctionType, modules: set[int]) -> bool:
    names = function.__code__.co_names
    inner = [each for each in _closed_over(function) if isinstance(each, types.FunctionType)]
    found = any(id(function.__globals__.get(name)) in modules for name in names)
    return found or any(_names_globally(each, modules) for each in inner if each is not function)


def check_fits(model: Module) -> None:
    """Raises NotCopied where the device has no room for the parameters a second time and their gradients."""
    sizes: dict[torch.device, int] = {}
    for each in [*model.parameters(), *model.buffers()]:
        sizes[each.device] = sizes.get(each.device, 0) + each.numel() * max(4, each.element_size())
    for device, size in sizes.items():
        room = _room(device)
        if room is not None and 2.5 * size > room:
            raise NotCopied("room", device=str(device))


def _room(device: torch.device) -> int | None:
    if device.type == "cuda":
        return torch.cuda.mem_get_info(device)[0]
    if device.type != "cpu":
        return None
    try:
        with open("/proc/meminfo") as file:
            found = [line for line in file if line.startswith("MemAvailable")]
    except OSError:
        return None
    return int(found[0].split()[1]) * 1024 if found else None


def _reaches(value: Any, modules: set[int], depth: int = 4) -> bool:
    """Whether a function, or one in a container, holds one of these modules: in its closure, its defaults or
    what it is bound to. A module by itself is deepcopy's to find."""
    if not depth:
        return False
    if isinstance(value, types.FunctionType):
        held: Iterable[Any] = (*_closed_over(value), *(value.__defaults__ or ()))
    elif isinstance(value, functools.partial):
        held = (value.func, *value.args, *value.keywords.values())
    elif isinstance(value, (list, tuple)) and type(value) in (list, tuple):
        return any(_reaches(each, modules, depth - 1) for each in value)
    elif type(value) is dict:
        return any(_reaches(each, modules, depth - 1) for each in value.values())
    else:
        return False
    return any(_holds(each, modules, depth - 1) for each in held)


def _holds(value: Any, modules: set[int], depth: int) -> bool:
    if isinstance(value, types.MethodType):
        value = value.__self__
    if isinstance(value, (list, tuple)):
        return any(_holds(each, modules, depth - 1) for each in value) if depth else False
    return id(value) in modules or _reaches(value, modules, depth)


def _closed_over(function: types.FunctionType) -> list[Any]:
    """What the variables of the enclosing functions hold; an empty one as None."""
    found = []
    for cell in function.__closure__ or ():
        try:
            found.append(cell.cell_contents)
        except ValueError:
            found.append(None)
    return found


def _detach_graphs(value: Any, memo: dict[int, Any], depth: int = 4) -> None:
    """deepcopy raises for tensors with a graph: it is given their values instead."""
    if isinstance(value, Tensor):
        if not value.is_leaf:
            memo[id(value)] = value.detach().clone()
    elif depth and isinstance(value, (list, tuple)):
        for each in value:
            _detach_graphs(each, memo, depth - 1)
    elif depth and isinstance(value, dict):
        for each in value.values():
            _detach_graphs(each, memo, depth - 1)


def _drop_hooks(module: Module) -> None:
    for hooks in (module._forward_hooks, module._forward_pre_hooks):
        for key in [key for key, hook in hooks.items() if not _of_library(hook)]:
            del hooks[key]
            module._forward_hooks_with_kwargs.pop(key, None)
            module._forward_pre_hooks_with_kwargs.pop(key, None)
            module._forward_hooks_always_called.pop(key, None)
    module._backward_hooks.clear()
    module._backward_pre_hooks.clear()


def _of_library(hook: Any) -> bool:
    while isinstance(hook, functools.partial):
        hook = hook.func
    module = getattr(hook, "__module__", None) or type(hook).__module__
    return module.partition(".")[0] in KEPT_HOOKS


def fill_zeros(model: Module) -> None:
    """Puts noise into weights that are all zero: heads and gates that begin at zero hide what can be seen."""
    for module in model.modules():
        for name, each in list(module._parameters.items()):
            if each is not None and each.ndim > 1 and not each.any():
                module._parameters[name] = nn.Parameter(torch.randn_like(each) * 0.1, False)
