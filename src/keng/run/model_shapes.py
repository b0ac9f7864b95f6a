"""Builds a user's model in a process of its own and tells the shapes of its state dict.

`python -m keng.run.model_shapes pkg.module:factory OUT` writes JSON; whatever the user's code prints
stays out of it. The model is built on the meta device, which takes no memory, where its code allows.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from typing import Any

from keng._util.texts import sentence
from keng.ckpt.mapping import Entry

PATIENCE = 300
"""Seconds for the imports and the building of a model."""


class NotBuilt(Exception):  # noqa: N818
    """Why there is no model, in one line."""


def entries_of(target: str) -> dict[str, Entry]:
    """The state dict that `pkg.module:factory` gives, by the user's own interpreter. Raises NotBuilt."""
    if not re.fullmatch(r"[\w./]+:[\w.]+", target):
        raise NotBuilt(sentence("model_form", target=target))
    with tempfile.NamedTemporaryFile(prefix="keng-", suffix=".json") as out:
        command = [sys.executable, "-m", "keng.run.model_shapes", target, out.name]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            raise NotBuilt(sentence("model_too_slow", target=target, seconds=PATIENCE)) from None
        if done.returncode:
            lines = done.stderr.strip().splitlines()
            says = lines[-1] if lines else sentence("model_process_died")
            raise NotBuilt(sentence("about", subject=target, says=says))
        rows = json.loads(out.read())
    return {name: Entry(tuple(shape), dtype, tied) for name, shape, dtype, tied in rows}


def main(target: str, out: str) -> None:
    sys.path.insert(0, "")
    rows = rows_of(target)
    with open(out, "w") as file:
        json.dump(rows, file)


def rows_of(target: str) -> list[tuple[str, list[int], str, str]]:
    """Name, shape and dtype of every entry of the state dict, and with what of the same shape it is
    tied."""
    import torch

    state = _state(_found(target), torch)
    tensors = {name: each for name, each in state.items() if isinstance(each, torch.Tensor)}
    places = {name: _place(each) for name, each in tensors.items()}
    first = {place: name for name, place in reversed(places.items())}
    return [
        (
            name,
            list(value.shape),
            str(value.dtype).removeprefix("torch."),
            first[places[name]] if first[places[name]] != name else "",
        )
        for name, value in tensors.items()
    ]


def _place(value: Any) -> tuple[object, ...]:
    """Where its values lie. On the meta device all addresses are 0, but storages are objects."""
    storage = value.untyped_storage()
    return storage._cdata, value.storage_offset(), tuple(value.shape), value.stride()


def _found(target: str) -> Any:
    from importlib import import_module

    module, _, name = target.partition(":")
    found = import_module(module.removesuffix(".py").replace("/", "."))
    for part in name.split("."):
        found = getattr(found, part)
    return found


def _state(found: Any, torch: Any) -> Mapping[str, Any]:
    if callable(found) and not isinstance(found, torch.nn.Module):
        found = _built(found, torch)
    state: Mapping[str, Any] = found if isinstance(found, Mapping) else found.state_dict()
    return state


def _built(factory: Callable[[], Any], torch: Any) -> Any:
    """Some models compute with values as they are built, which the meta device has none of."""
    try:
        with torch.device("meta"):
            return factory()
    except Exception:
        return factory()


if __name__ == "__main__":
    main(*sys.argv[1:])
