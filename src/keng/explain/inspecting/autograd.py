"""What a graph of autograd that is still there tells of an error: which value was changed in place, by what
and, where anomaly mode has recorded them, on which lines; why a loss has no graph; what the graph
of a loss reaches."""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import FrameType
from typing import Any

from keng.explain.failure import Frame
from keng.explain.inspecting.modules import held_in, is_users, users_modules
from keng.explain.live import Changed, Unlearned
from keng.explain.ownership.paths import is_user

MOST_NODES = 5_000
CHANGED = "modified by an inplace operation"
FREED = "backward through the graph a second time"
KEPT = re.compile(
    r"\[\S+ \[(?P<shape>[\d, ]*)\]\](?:, which is output \d+ of (?P<maker>\w+),)? "
    r"is at version (?P<version>\d+)"
)
"""What autograd says of a value that it has kept."""

FILE = re.compile(
    r'\s*File "(?P<path>[^"]+)", line (?P<line>\d+), in (?P<name>.*)\n\s*(?P<text>.*)'
)

IN_PLACE = re.compile(r"[-+*/@|&^%]=|\w_\(|\]\s*=(?!=)|inplace=True")
MAY_CHANGE = re.compile(
    r"(?:Add|Sub|Mul|Div|Pow|Clamp\w*|Relu|LeakyRelu|Elu|Hardtanh|Sigmoid|Tanh|Exp|Sqrt|Neg|Copy\w*|Fill|Zero|"
    r"MaskedFill|MaskedScatter|Index\w+|Scatter\w*|Dropout|NativeDropout|Addmm|Addcmul|Addcdiv)Backward\d*$"
)
"""Operations that have a form which works in place."""


def changed_in(frames: list[FrameType], torch: Any) -> Changed | None:
    """Of the graphs that hang on the tensors of the frames. No value is computed: a node that has kept a
    tensor raises where the tensor has been changed since."""
    nodes = list(_nodes(_tensors(frames, torch)))
    for node in nodes:
        kept = _kept_by(node)
        if kept is None:
            continue
        if kept["maker"] is None or _is_of_weights(kept["maker"]):
            named = _named(frames, node, kept, torch)
            if named:
                return Changed(None, "", None, tuple(named), _steppers(frames, named, torch))
        maker = re.sub(r"Backward\d*$", "", kept["maker"] or "")
        made = next((n for n in (node, *_before(node)) if _name(n) == maker), node)
        after = [n for n in nodes if made in _before(n) and _may_change(n)]
        told = [n for n in after if IN_PLACE.search(getattr(_line(n), "text", ""))]
        by = told[0] if told else after[0] if len(after) == 1 else None
        name = _name(by) if by else ""
        layers = tuple(_in_place(frames, name, torch))
        return Changed(_line(made), name, _line(by) if told else None, layers=layers)
    return None


def _is_of_weights(maker: str) -> bool:
    """Whether it only looks at another tensor, as a layer does at its weights."""
    return maker.startswith(("AsStrided", "T", "Transpose", "Permute", "View"))


def _named(frames: list[FrameType], node: Any, kept: re.Match[str], torch: Any) -> dict[str, Any]:
    """The parameter that a node goes back to, or the buffers that may be what it has kept, by their paths
    from a variable of the user's; each under one name."""
    shape = [int(n) for n in re.findall(r"\d+", kept["shape"])]
    held = {
        path: tensor
        for path, tensor in _held(frames, torch).items()
        if tensor._version == int(kept["version"]) and sorted(tensor.shape) == sorted(shape)
    }
    leaves = list(_leaves(node))
    ours = {path: t for path, t in held.items() if any(t is leaf for leaf in leaves)}
    alike = {p: t for p, t in held.items() if not t.requires_grad and list(t.shape) == shape}
    return ours or alike


def _leaves(node: Any) -> Iterator[Any]:
    """The parameters whose gradient a node computes, itself or behind a view."""
    for before in _before(node):
        behind = _before(before) if _is_of_weights(before.name()) else []
        yield from (n.variable for n in (before, *behind) if hasattr(n, "variable"))


def _held(frames: list[FrameType], torch: Any) -> dict[str, Any]:
    """The parameters and buffers of the modules of the user's frames, each under one name."""
    found: dict[int, tuple[str, Any]] = {}
    for name, module in users_modules(frames, torch.nn.Module):
        for path, held in (*module.named_parameters(), *module.named_buffers()):
            found.setdefault(id(held), (f"{name}.{path}", held))
    return dict(found.values())


def _in_place(frames: list[FrameType], name: str, torch: Any) -> list[str]:
    """The modules that do an operation in place, by their paths from a variable of the user's."""
    found: dict[int, str] = {}
    for root, module in users_modules(frames, torch.nn.Module):
        for path, part in module.named_modules():
            if type(part).__name__.lower() == name.lower() and vars(part).get("inplace") is True:
                found.setdefault(id(part), f"{root}.{path}" if path else root)
    return list(found.values())


def _steppers(frames: list[FrameType], named: dict[str, Any], torch: Any) -> tuple[str, ...]:
    """The variables of the user's that are optimizers of one of these."""
    ours = {id(tensor) for tensor in named.values()}
    return tuple(
        dict.fromkeys(
            name
            for frame in frames
            if is_users(frame)
            for name, value in held_in(frame, torch.optim.Optimizer)
            if any(id(p) in ours for group in value.param_groups for p in group["params"])
        )
    )


def unlearned_in(frames: list[FrameType], torch: Any) -> Unlearned:
    """Whether gradients are off, and the models of the user's frames where none of them learns."""
    models: dict[str, Any] = {}
    for frame in frames:
        if is_users(frame):
            local = frame.f_locals.items()
            models.update({n: m for n, m in local if isinstance(m, torch.nn.Module)})
    sizes = {
        name: len(list(model.parameters()))
        for name, model in models.items()
        if not any(parameter.requires_grad for parameter in model.parameters())
    }
    all_frozen = sizes.keys() == models.keys()
    frozen = {name: size for name, size in sizes.items() if size} if all_frozen else {}
    return Unlearned(not torch.is_grad_enabled(), frozen)


def reached_in(frames: list[FrameType], torch: Any) -> dict[str, bool]:
    """The variables of the user's frames, and what their modules keep, that lie in the graph of the loss
    whose backward raised, and whether they are lists or tuples."""
    losses = [t for f in frames for t in _parts(f.f_locals.get("t_outputs"), torch)]
    nodes = set(_nodes(iter(losses)))
    return {
        name: not isinstance(value, torch.Tensor)
        for frame in reversed(frames)
        if is_users(frame)
        for name, value in (*frame.f_locals.items(), *_kept(frame, torch))
        if any(tensor.grad_fn in nodes for tensor in _parts(value, torch))
    }


def _kept(frame: FrameType, torch: Any) -> Iterator[tuple[str, Any]]:
    """What modules and `self` of a frame keep as plain attributes, by their paths from a variable."""
    for name, module in held_in(frame, torch.nn.Module):
        for path, part in module.named_modules():
            root = f"{name}.{path}" if path else name
            yield from ((f"{root}.{attribute}", value) for attribute, value in vars(part).items())
    owner = getattr(frame.f_locals.get("self"), "__dict__", {})
    yield from ((f"self.{attribute}", value) for attribute, value in owner.items())


def attached_in(frames: list[FrameType], torch: Any) -> dict[str, bool]:
    """The variables of the user's innermost frame that hold a graph, and whether they are lists or tuples."""
    inner = next((frame for frame in reversed(frames) if is_users(frame)), None)
    return {
        name: not isinstance(value, torch.Tensor)
        for name, value in (inner.f_locals.items() if inner is not None else ())
        if any(tensor.grad_fn is not None for tensor in _parts(value, torch))
    }


def _parts(value: Any, torch: Any) -> list[Any]:
    several = value if type(value) in (list, tuple) else (value,)
    return [each for each in several[:100] if isinstance(each, torch.Tensor)]


def _tensors(frames: list[FrameType], torch: Any) -> Iterator[Any]:
    for frame in reversed(frames):
        for value in list(frame.f_locals.values()):
            yield from _parts(value, torch)


def _nodes(tensors: Iterator[Any]) -> Iterator[Any]:
    seen: set[Any] = set()
    todo = [tensor.grad_fn for tensor in tensors if tensor.grad_fn is not None]
    while todo and len(seen) < MOST_NODES:
        node = todo.pop(0)
        if node not in seen:
            seen.add(node)
            yield node
            todo += _before(node)


def _before(node: Any) -> list[Any]:
    return [before for before, _ in node.next_functions if before is not None]


def _name(node: Any) -> str:
    name = str(node.name()).rpartition("::")[2]
    return re.sub(r"Backward\d*$", "", name)


def _may_change(node: Any) -> bool:
    name = str(node.name())
    return name.endswith("CopySlices") or MAY_CHANGE.search(name) is not None


def _kept_by(node: Any) -> re.Match[str] | None:
    """What is said of a value that this node has kept and that has been changed since."""
    for attribute in dir(node):
        if attribute.startswith("_saved_"):
            try:
                getattr(node, attribute)
            except RuntimeError as error:
                if CHANGED in str(error):
                    return KEPT.search(str(error))
    return None


def _line(node: Any) -> Frame | None:
    """The user's line that made a node, where anomaly mode has recorded it."""
    recorded = (node.metadata.get("traceback_") if node is not None else None) or []
    for entry in reversed("".join(recorded).split("\n  File ")):
        found = FILE.match(f"  File {entry}" if not entry.startswith("  File") else entry)
        if found is not None and is_user(found["path"]):
            return Frame(found["path"], int(found["line"]), found["name"], found["text"], True)
    return None
