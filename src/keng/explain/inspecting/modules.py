"""The module whose forward raised, and its path from a variable of the user's."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Mapping
from types import FrameType, FunctionType
from typing import Any

from keng.explain.inspecting.operands import operand
from keng.explain.live import Handed, Kept, Layer, Operand, Stray
from keng.explain.ownership.paths import is_torch, is_user

MOST_BESIDE = 500
MADE_FROM = ("_v", "_orig")
"""What a parameter is called from which weight_norm, spectral_norm or prune compute another: the ends."""
TABLES = ("_parameters", "_buffers", "_modules")
PLAIN = (int, float, bool, str, type(None))


def layer_of(frames: list[FrameType], torch: Any) -> Layer | None:
    """The innermost module of a traceback, outermost frame first."""
    Module = torch.nn.Module  # noqa: N806
    for frame in reversed(frames):
        module = frame.f_locals.get("self")
        if isinstance(module, Module):
            path = _path(module, frames, Module) or type(module).__name__
            given = _forward_of(module, frames) or frame
            kind, settings = type(module).__name__, _settings(module, Module)
            held = _held(module, path, torch)
            hidden = "" if "." in path else _unseen(module, frames, Module)
            beside = _beside(module, frames, Module)
            tied = _tied(module, path, frames, Module)
            return Layer(path, kind, settings, _inputs(given, torch), held, hidden, beside, tied)
    return None


def _beside(
    layer: Any, frames: list[FrameType], module_class: Any
) -> Mapping[str, Mapping[str, Any]]:
    """The settings of the other layers of the user's module whose forward called this one, by their paths."""
    owners = (frame.f_locals.get("self") for frame in reversed(frames) if is_users(frame))
    owner = next((each for each in owners if isinstance(each, module_class)), None)
    named = list(owner.named_modules()) if owner is not None else []
    if len(named) > MOST_BESIDE:
        return {}
    return {
        path: _settings(each, module_class) for path, each in named if path and each is not layer
    }


def _tied(layer: Any, path: str, frames: list[FrameType], module_class: Any) -> str:
    """Another module that has the weight of a layer as its own, by its path from where the layer's begins."""
    weight, root = vars(layer)["_parameters"].get("weight"), path.partition(".")[0]
    for other, part in _parts(frames, module_class) if weight is not None else ():
        own = other.partition(".")[0] == root and part is not layer
        if own and vars(part)["_parameters"].get("weight") is weight:
            return other
    return ""


def _unseen(layer: Any, frames: list[FrameType], module_class: Any) -> str:
    """The list or dictionary on a module of the user's that holds a layer which the module does not see."""
    for name, root in users_modules(frames, module_class):
        for path, module in root.named_modules():
            for attribute, value in vars(module).items():
                if not attribute.startswith("_") and any(layer is i for i in _items(value)):
                    return ".".join(part for part in (name, path, attribute) if part)
    return ""


def _items(value: Any) -> list[Any]:
    """What a list, tuple or dictionary holds."""
    if isinstance(value, dict):
        return list(value.values())
    return list(value) if isinstance(value, (list, tuple)) else []


def hidden_in(frames: list[FrameType], torch: Any) -> tuple[Kept, ...]:
    """The lists and dictionaries of modules on the user's modules, which these do not see: `net.layers`."""
    Module = torch.nn.Module  # noqa: N806
    return tuple(
        _kept(f"{name}.{attribute}", module)
        for name, module in users_modules(reversed(frames), Module)
        for attribute, value in vars(module).items()
        if not attribute.startswith("_") and any(isinstance(i, Module) for i in _items(value))
    )


def hooked_in(frames: list[FrameType], torch: Any) -> tuple[str, ...]:
    """The modules that have full backward hooks, by their paths from a variable of the user's."""
    found: dict[int, str] = {}
    for path, part in _parts(frames, torch.nn.Module):
        held = vars(part)
        full = held.get("_is_full_backward_hook") and held.get("_backward_hooks")
        if full or held.get("_backward_pre_hooks"):
            found.setdefault(id(part), path)
    return tuple(found.values())


def copied_in(frames: list[FrameType], torch: Any) -> Kept | None:
    """What a module of the user's keeps with its graph, in an attribute or buffer, and cannot be copied."""
    refused = frames[-1].f_locals.get("self")
    for path, part in _parts(reversed(frames), torch.nn.Module):
        stored = vars(part)
        own = {name: value for name, value in stored.items() if name not in TABLES}
        for attribute, value in {**own, **stored["_buffers"]}.items():
            if value is refused or any(each is refused for each in _items(value)):
                sources = [f"{attribute}{end}" for end in MADE_FROM]
                made = next((name for name in sources if name in stored["_parameters"]), "")
                kept = _kept(f"{path}.{attribute}", part)
                return kept._replace(made_from=made, several=value is not refused)
    return None


def _kept(path: str, module: Any) -> Kept:
    kind = type(module)
    codes = [m.__code__ for m in vars(kind).values() if isinstance(m, FunctionType)]
    home = next((code for code in codes if is_user(code.co_filename)), None)
    if home is None:
        return Kept(path, kind.__name__)
    return Kept(path, kind.__name__, home.co_filename, home.co_firstlineno)


def strays_in(frames: list[FrameType], torch: Any) -> tuple[Stray, ...]:
    """The plain tensors of the user's modules that lie elsewhere, or are of another dtype, than all that the
    outermost forward was given."""
    Module = torch.nn.Module  # noqa: N806
    called = [f for f in frames if f.f_code.co_name == "forward"]
    outermost = next((f for f in called if isinstance(f.f_locals.get("self"), Module)), None)
    given = _inputs(outermost, torch) if outermost is not None else ()
    found: dict[int, Stray] = {}
    for path, part in _parts(frames, Module):
        for name, value in vars(part).items():
            if isinstance(value, torch.Tensor) and value.dim():
                stray = Stray(_kept(f"{path}.{name}", part), operand(f"{path}.{name}", value))
                if all((o.dtype, o.device) != stray.tensor[2:4] for o in given):
                    found.setdefault(id(value), stray)
    return tuple(found.values())


def handed_in(frames: list[FrameType], torch: Any) -> Handed | None:
    """Of the layers of a Sequential: a recurrent one, and what was given its output and state as one."""
    for frame in reversed(frames):
        whole, taker = frame.f_locals.get("self"), frame.f_locals.get("module")
        if not isinstance(whole, torch.nn.Sequential) or frame.f_code.co_name != "forward":
            continue
        parts = list(whole)
        at = next((n for n, part in enumerate(parts) if part is taker), 0)
        giver, given = parts[at - 1] if at else None, frame.f_locals.get("input")
        inside = any(value is given for value in frames[-1].f_locals.values())
        known = isinstance(given, tuple) and inside and is_torch(frames[-1].f_code.co_filename)
        if known and isinstance(giver, torch.nn.RNNBase) and parts.count(taker) == 1:
            one, other = (_path(each, frames, torch.nn.Module) for each in (giver, taker))
            return Handed(one, type(giver).__name__, other) if one and other else None
    return None


def replicated_in(frames: list[FrameType], torch: Any) -> tuple[str, ...]:
    """The parameters that the innermost DistributedDataParallel counts, in its order."""
    for frame in reversed(frames):
        wrapper: Any = frame.f_locals.get("self")
        if type(wrapper).__name__ == "DistributedDataParallel":
            known = wrapper.module.named_parameters()
            return tuple(name for name, parameter in known if parameter.requires_grad)
    return ()


def _forward_of(module: Any, frames: list[FrameType]) -> FrameType | None:
    """The frame of its forward: what raised may be a helper that it calls."""
    return next(
        (f for f in frames if f.f_code.co_name == "forward" and f.f_locals.get("self") is module),
        None,
    )


def _path(layer: Any, frames: list[FrameType], module_class: Any) -> str:
    """From the outermost variable that holds the layer, and of those the one that holds most."""
    for frame in frames:
        if not is_users(frame):
            continue
        paths = []
        for name, root in held_in(frame, module_class):
            path = next((path for path, inner in root.named_modules() if inner is layer), None)
            if path is not None:
                paths.append(f"{name}.{path}" if path else name)
        if paths:
            return max(paths, key=lambda path: (path.count("."), -len(path)))
    return ""


def is_users(frame: FrameType) -> bool:
    return is_user(frame.f_code.co_filename)


def users_modules(frames: Iterable[FrameType], module_class: Any) -> Iterator[tuple[str, Any]]:
    """Those of the user's frames, frame by frame."""
    for frame in frames:
        if is_users(frame):
            yield from held_in(frame, module_class)


def _parts(frames: Iterable[FrameType], module_class: Any) -> Iterator[tuple[str, Any]]:
    """Those and all modules in them, by their paths."""
    for name, module in users_modules(frames, module_class):
        for path, part in module.named_modules():
            yield (f"{name}.{path}" if path else name), part


def held_in(frame: FrameType, kind: Any) -> Iterator[tuple[str, Any]]:
    """What a frame holds of a class in variables, or in its `self` where that is none, by their names."""
    variables = {**frame.f_globals, **frame.f_locals}
    for name, value in variables.items():
        if isinstance(value, kind):
            yield name, value
    owner = frame.f_locals.get("self")
    if owner is not None and not isinstance(owner, kind):
        for name, value in list(getattr(owner, "__dict__", {}).items()):
            if isinstance(value, kind):
                yield f"self.{name}", value


def _settings(module: Any, module_class: Any) -> Mapping[str, Any]:
    """What its constructor took, as far as the module has kept it under the same name."""
    stored = vars(module)
    settings: dict[str, Any] = {}
    for kind in type(module).__mro__[: type(module).__mro__.index(module_class)]:
        if "__init__" in vars(kind):
            for name in inspect.signature(vars(kind)["__init__"]).parameters:
                if name in stored and _is_plain(stored[name]):
                    settings.setdefault(name, stored[name])
    return settings


def _is_plain(value: Any) -> bool:
    return isinstance(value, PLAIN) or (
        isinstance(value, tuple) and all(isinstance(each, PLAIN) for each in value)
    )


def _inputs(frame: FrameType, torch: Any) -> tuple[Operand, ...]:
    """The tensors that its forward was given."""
    code = frame.f_code
    given = [(name, frame.f_locals.get(name)) for name in code.co_varnames[1 : code.co_argcount]]
    return tuple(operand(name, value) for name, value in given if isinstance(value, torch.Tensor))


def _held(module: Any, path: str, torch: Any) -> tuple[Operand, ...]:
    """Its own parameters and buffers, by the names that the user reaches them by."""
    own = {**vars(module)["_parameters"], **vars(module)["_buffers"]}
    return tuple(
        operand(f"{path}.{name}", value)
        for name, value in own.items()
        if isinstance(value, torch.Tensor)
    )
