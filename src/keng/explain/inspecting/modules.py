"""The module whose forward raised, and its path from a variable of the user's."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Mapping
from types import FrameType, FunctionType
from typing import Any

from keng.explain.inspecting.operands import operand
from keng.explain.live import Attribute, Layer, LiveError, Operand, PlainTensor
from keng.explain.ownership.paths import is_user

MOST_BESIDE = 500
PLAIN = (int, float, bool, str, type(None))


def layer_of(error: LiveError) -> Layer | None:
    """The innermost module of a traceback, outermost frame first."""
    frames, torch = error.frames, error.torch
    Module = torch.nn.Module  # noqa: N806
    for frame in reversed(frames):
        module = frame.f_locals.get("self")
        if isinstance(module, Module):
            path = path_of(module, frames, Module) or type(module).__name__
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
    for other, part in modules_in(frames, module_class) if weight is not None else ():
        own = other.partition(".")[0] == root and part is not layer
        if own and vars(part)["_parameters"].get("weight") is weight:
            return other
    return ""


def _unseen(layer: Any, frames: list[FrameType], module_class: Any) -> str:
    """The list or dictionary on a module of the user's that holds a layer which the module does not see."""
    for name, root in users_modules(frames, module_class):
        for path, module in root.named_modules():
            for attribute, value in vars(module).items():
                if not attribute.startswith("_") and any(layer is i for i in members_of(value)):
                    return ".".join(part for part in (name, path, attribute) if part)
    return ""


def members_of(value: Any) -> list[Any]:
    """What a list, tuple or dictionary holds."""
    if isinstance(value, dict):
        return list(value.values())
    return list(value) if isinstance(value, (list, tuple)) else []


def attribute_of(path: str, module: Any) -> Attribute:
    kind = type(module)
    codes = [m.__code__ for m in vars(kind).values() if isinstance(m, FunctionType)]
    home = next((code for code in codes if is_user(code.co_filename)), None)
    if home is None:
        return Attribute(path, kind.__name__)
    return Attribute(path, kind.__name__, home.co_filename, home.co_firstlineno)


def plain_tensors_in(error: LiveError) -> tuple[PlainTensor, ...]:
    """The plain tensors of the user's modules that lie elsewhere, or are of another dtype, than all that the
    outermost forward was given."""
    frames, torch = error.frames, error.torch
    Module = torch.nn.Module  # noqa: N806
    called = [f for f in frames if f.f_code.co_name == "forward"]
    outermost = next((f for f in called if isinstance(f.f_locals.get("self"), Module)), None)
    given = _inputs(outermost, torch) if outermost is not None else ()
    found: dict[int, PlainTensor] = {}
    for path, part in modules_in(frames, Module):
        for name, value in vars(part).items():
            if isinstance(value, torch.Tensor) and value.dim():
                stray = PlainTensor(
                    attribute_of(f"{path}.{name}", part), operand(f"{path}.{name}", value)
                )
                if all((o.dtype, o.device) != stray.tensor[2:4] for o in given):
                    found.setdefault(id(value), stray)
    return tuple(found.values())


def _forward_of(module: Any, frames: list[FrameType]) -> FrameType | None:
    """The frame of its forward: what raised may be a helper that it calls."""
    return next(
        (f for f in frames if f.f_code.co_name == "forward" and f.f_locals.get("self") is module),
        None,
    )


def path_of(layer: Any, frames: list[FrameType], module_class: Any) -> str:
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


def modules_in(frames: Iterable[FrameType], module_class: Any) -> Iterator[tuple[str, Any]]:
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
