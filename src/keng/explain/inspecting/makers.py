"""The layer that made an input of a size that the next layer does not take."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from keng.explain.inspecting.modules import modules_in, path_of
from keng.explain.live import LiveError

GIVES = ("out_features", "out_channels", "embedding_dim", "hidden_size")
TAKES = ("in_features", "in_channels", "num_features", "input_size", "embed_dim", "d_model")
MOST_MODULES = 500


class Maker(NamedTuple):
    """A layer by its path in the model, the argument of its constructor that says what it gives, how much
    that is, and how much it should be: of maps that were flattened the channels. `odd` where other layers
    have the size that it should give, and none has its own."""

    path: str
    keyword: str
    size: int
    needs: int
    odd: bool


def maker_of(error: LiveError, made: Sequence[str], wants: int, came: int) -> Maker | None:
    """The layer that gave `came` to the one whose forward raised. `made` are the names of the operations that
    gave so many, as the trail of shapes has them, last first."""
    Module = error.torch.nn.Module  # noqa: N806
    layer = next(
        (m for f in reversed(error.frames) if isinstance(m := f.f_locals.get("self"), Module)), None
    )
    path = path_of(layer, error.frames, Module) if layer is not None else ""
    parts = dict(modules_in(error.frames, Module))
    if not path or len(parts) > MOST_MODULES:
        return None
    found = _in_sequence(parts, path) or _by_name(parts, path, made) or _only_one(parts, path, came)
    keyword, size = (_given(parts[found]) if found else None) or ("", 0)
    if not size or came % size or wants % (came // size):
        return None
    needs = wants // (came // size)
    both = {_home(parts, path), _home(parts, found)}
    apart = {id(part): part for name, part in parts.items() if _home(parts, name) not in both}
    others = Counter(size for part in apart.values() for size in _sizes(part))
    odd = others[needs] > 0 and not others[size]
    near = found.partition(".")[0] == path.partition(".")[0]
    return Maker(found, keyword, size, needs, odd) if near or odd else None


def only_maker(error: LiveError, size: int, needs: int) -> Maker | None:
    """The one layer in the user's frames that gives `size`, where `needs` are wanted."""
    parts = dict(modules_in(error.frames, error.torch.nn.Module))
    found = _only_one(parts, "", size) if len(parts) <= MOST_MODULES else ""
    keyword, _ = (_given(parts[found]) if found else None) or ("", 0)
    return Maker(found, keyword, size, needs, odd=False) if found else None


def _home(parts: Mapping[str, Any], path: str) -> object:
    """The class and the attribute of it that a layer is, the same in all objects of that class; an element of
    a list is alone."""
    owner, _, last = path.rpartition(".")
    plain = last.isdecimal() or owner not in parts
    return id(parts[path]) if plain else (type(parts[owner]), last)


def _in_sequence(parts: Mapping[str, Any], path: str) -> str:
    """The layer before one in a Sequential, past those that give as many as they take."""
    owner, _, last = path.rpartition(".")
    for at in range(int(last) - 1, -1, -1) if last.isdecimal() else ():
        part = parts.get(f"{owner}.{at}")
        if part is None or (list(part.children()) and _given(part) is None):
            return ""
        if _given(part) is not None:
            return f"{owner}.{at}"
    return ""


def _by_name(parts: Mapping[str, Any], path: str, made: Sequence[str]) -> str:
    """The layer of that name, `conv1` or `body[2]`, in the module around one or those around that."""
    steps = path.split(".")
    around = [".".join(steps[:n]) for n in range(len(steps), 0, -1)]
    for name in made:
        end = name.replace("[", ".").replace("]", "")
        found = [f"{owner}.{end}" for owner in around if f"{owner}.{end}" in parts]
        if found and found[0] != path:
            return found[0]
    return ""


def _only_one(parts: Mapping[str, Any], path: str, came: int) -> str:
    found = [n for n, part in parts.items() if n != path and (_given(part) or ("", 0))[1] == came]
    apart = {id(parts[name]): name for name in reversed(found)}
    return found[0] if len(apart) == 1 else ""


def _given(part: Any) -> tuple[str, int] | None:
    """The argument that says what a layer gives; None of one that gives as many as it takes."""
    stored = vars(part)
    found = [(each, stored[each]) for each in GIVES if type(stored.get(each)) is int]
    return found[0] if found and not stored.get("bidirectional") else None


def _sizes(part: Any) -> Iterator[int]:
    stored = vars(part)
    for name in (*GIVES, *TAKES):
        if type(stored.get(name)) is int:
            yield stored[name]
