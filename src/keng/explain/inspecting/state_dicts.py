"""What `load_state_dict` was given and what it was to fill, where it raised, by names and shapes; and the
file that this was read from, where the source says so. No value is read."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from types import FrameType
from typing import Any

from keng._util import cache
from keng.ckpt.mapping import Entry, best
from keng.explain.inspecting.file_origin import Keys, read_from
from keng.explain.live import LiveError, Loading

DEEPEST = 3
"""Keys from what was given to the weights."""


def loading_of(error: LiveError) -> Loading | None:
    _, tracebacks, torch = error
    frames = [tb.tb_frame for tb in reversed(tracebacks) if _loads(tb.tb_frame)]
    module = frames[0].f_locals["self"] if frames else None
    if not isinstance(module, torch.nn.Module):
        return None
    plan = best(dict(_states(frames[0].f_locals["state_dict"], torch)), dict(wanted_by(module)))
    file, keys = read_from(tracebacks, torch)
    if not file:
        return Loading(plan)
    in_file = plan._replace(nesting=(*keys, *plan.nesting))
    kept = cache.put(f"plan-{cache.digest(os.path.abspath(file))}", in_file.as_json())
    return Loading(plan, file, kept)


def _loads(frame: FrameType) -> bool:
    file = frame.f_code.co_filename.replace("\\", "/")
    return frame.f_code.co_name == "load_state_dict" and file.endswith("torch/nn/modules/module.py")


def _states(given: Any, torch: Any) -> Iterator[tuple[Keys, dict[str, Entry]]]:
    """The state dicts in what was given, by the keys that lead to them."""
    waiting: list[tuple[Keys, Any]] = [((), given)]
    while waiting:
        keys, node = waiting.pop(0)
        named = {name: each for name, each in node.items() if isinstance(name, str)}
        tensors = {name: each for name, each in named.items() if isinstance(each, torch.Tensor)}
        if tensors:
            yield keys, {name: entry_of(each) for name, each in tensors.items()}
        if len(keys) < DEEPEST:
            inner = ((name, each) for name, each in named.items() if isinstance(each, Mapping))
            waiting += [((*keys, name), each) for name, each in inner]


def wanted_by(module: Any) -> Iterator[tuple[str, Entry]]:
    """Of its state dict. Asking for that itself would run hooks, which may wait for other processes."""
    waiting = [("", module)]
    while waiting:
        front, each = waiting.pop()
        own = vars(each)
        fleeting = own["_non_persistent_buffers_set"]
        held = {**own["_parameters"], **own["_buffers"]}
        for name, value in held.items():
            if value is not None and name not in fleeting:
                yield front + name, entry_of(value)
        inner = [(f"{front}{name}.", child) for name, child in own["_modules"].items()]
        waiting += [pair for pair in reversed(inner) if pair[1] is not None]


def entry_of(value: Any) -> Entry:
    try:
        return Entry(tuple(int(size) for size in value.shape))
    except RuntimeError:  # not made yet, as a lazy layer's
        return Entry()
