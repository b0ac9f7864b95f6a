"""What was to be restored from a file where that raised: the groups of an optimizer, by their sizes; the
entries of what was loaded, by their names."""

from __future__ import annotations

import ast
from collections import OrderedDict
from types import FrameType, TracebackType
from typing import Any

from keng.explain.inspecting.operands import failing_node, value_of
from keng.explain.inspecting.state_dicts import entry_of, wanted_by
from keng.explain.live import Entries, Groups
from keng.explain.ownership.paths import is_user

OTHER_GROUPS = "loaded state dict "


def groups_in(frames: list[FrameType], torch: Any) -> Groups | None:
    """Those that were saved and those of the optimizer that was to load them."""
    for frame in reversed(frames):
        code, known = frame.f_code, frame.f_locals
        file = code.co_filename.replace("\\", "/")
        if code.co_name == "load_state_dict" and file.endswith("torch/optim/optimizer.py"):
            return Groups(_sizes(known["saved_groups"]), _sizes(known["groups"]))
    return None


def _sizes(groups: list[dict[str, Any]]) -> tuple[int, ...]:
    return tuple(len(group["params"]) for group in groups)


def entries_in(tracebacks: list[TracebackType], torch: Any) -> Entries | None:
    """Those of the dictionary that lacks the one that is asked for."""
    frame = tracebacks[-1].tb_frame
    node = failing_node(tracebacks[-1]) if is_user(frame.f_code.co_filename) else None
    owner: Any = value_of(node.value, frame, torch) if isinstance(node, ast.Subscript) else None
    if node is None or type(owner) not in (dict, OrderedDict):
        return None
    above: Any = getattr(node, "parent", None)
    loads = isinstance(above, ast.Call) and getattr(above.func, "attr", "") == "load_state_dict"
    module = value_of(above.func.value, frame, torch) if loads else None
    wanted = dict(wanted_by(module)) if isinstance(module, torch.nn.Module) else None
    states = {name: each for name, each in owner.items() if _is_state(each, torch)}
    fits = [name for name, each in states.items() if wanted and _shapes(each) == wanted]
    itself = _is_state(owner, torch) and bool(wanted) and _shapes(owner) == wanted
    names = tuple(name for name in owner if isinstance(name, str))
    return Entries(names, fits[0] if len(states) == len(fits) == 1 else "", itself)


def _is_state(value: Any, torch: Any) -> bool:
    """Whether it is a dictionary of tensors."""
    known = type(value) in (dict, OrderedDict) and bool(value)
    return known and all(isinstance(each, torch.Tensor) for each in value.values())


def _shapes(state: dict[str, Any]) -> dict[str, Any]:
    return {name: entry_of(each) for name, each in state.items()}
