"""A step that broke, in a folder: what it began with, so that it can be run again by itself.

tensors.pt holds tensors and plain values alone, and is read with `weights_only=True`: nothing in it can
run. capsule.json says which program it was, and how its files read then.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import sys
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from keng.run.frames import is_user

if TYPE_CHECKING:
    from torch.nn import Module

TENSORS, STORY = "tensors.pt", "capsule.json"
LARGEST = 2_000_000_000
"""Bytes of weights and buffers of a model that go into a capsule."""
PLAIN = (bool, int, float, str, type(None))


class Program(NamedTuple):
    """How a program was started: `words` are its target and arguments."""

    words: tuple[str, ...]
    module: bool
    folder: str


class Capsule(NamedTuple):
    story: dict[str, Any]
    tensors: dict[str, Any]


def random_states() -> dict[str, Any]:
    import torch

    states: dict[str, Any] = {"torch": torch.get_rng_state(), "python": random.getstate()}
    if (numpy := sys.modules.get("numpy")) is not None:
        name, keys, *rest = numpy.random.get_state()
        states["numpy"] = (str(name), keys.tolist(), *rest)
    return states


def set_random_states(states: dict[str, Any]) -> None:
    import torch

    torch.set_rng_state(states["torch"])
    version, inner, gauss = states["python"]
    random.setstate((version, tuple(inner), gauss))
    if "numpy" in states and (numpy := sys.modules.get("numpy")) is not None:
        numpy.random.set_state(tuple(states["numpy"]))


def plain(thing: Any, left_out: set[str]) -> Any:
    """Tensors in dicts, lists and tuples; of anything else None stays, and its type is left out."""
    import torch

    if isinstance(thing, torch.Tensor):
        return thing.detach().cpu().clone()
    if isinstance(thing, dict):
        return {key: plain(value, left_out) for key, value in thing.items() if type(key) in PLAIN}
    if isinstance(thing, (list, tuple)):
        inner = [plain(value, left_out) for value in thing]
        return inner if isinstance(thing, list) else tuple(inner)
    if type(thing) not in PLAIN:
        left_out.add(type(thing).__name__)
        return None
    return thing


def weights(module: Module, buffers: dict[str, Any]) -> dict[str, Any] | None:
    """As they were before the step, where nothing but buffers has moved in it; None where they are
    too large."""
    state = {**dict(module.named_parameters()), **buffers}
    if sum(t.numel() * t.element_size() for t in state.values()) > LARGEST:
        return None
    return {name: tensor.detach().cpu() for name, tensor in state.items()}


def files() -> dict[str, str]:
    """The user's own files that are loaded, and their digests."""
    loaded = {str(getattr(m, "__file__", None) or "") for m in list(sys.modules.values())}
    return {path: _digest(path) for path in sorted(loaded) if path and is_user(path)}


def changed(story: dict[str, Any]) -> Iterator[str]:
    """Files that read otherwise than they did."""
    for path, digest in story["files"].items():
        if _digest(path) != digest:
            yield path


def _digest(path: str) -> str:
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError:
        return ""


def write(home: Path, capsule: Capsule) -> Path:
    """The folder, which is there only when it is whole. Raises OSError."""
    import torch

    place = (
        home / f"{time.strftime('%Y-%m-%d_%H-%M-%S')}-step-{capsule.story['step']}-{os.getpid()}"
    )
    part = place.with_name(f".{place.name}")
    part.mkdir(parents=True)
    torch.save(capsule.tensors, part / TENSORS)
    (part / STORY).write_text(json.dumps(capsule.story, indent=2) + "\n", "utf-8")
    part.rename(place)
    return place


def read(place: Path) -> Capsule:
    """Raises OSError, ValueError, KeyError, pickle.UnpicklingError or RuntimeError for what is none."""
    import torch

    story = json.loads((place / STORY).read_text("utf-8"))
    tensors = torch.load(place / TENSORS, map_location="cpu", weights_only=True)
    return Capsule(story, {"batch": None, **tensors})


def record_lines() -> None:
    """Has autograd note which line made each node of the graph; numbers stay as they are."""
    import torch

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.autograd.set_detect_anomaly(True, check_nan=False)
