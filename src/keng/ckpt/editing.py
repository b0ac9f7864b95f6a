"""Changes what a checkpoint holds before it is written: entries dropped, kept, renamed, replaced.

A pattern is one of the shell (`encoder.*`). It is compared with the dotted name of an entry and with its key,
so `optimizer_states`, `state_dict.head.*` and `head.*` all find what they say. A word without `*` that is no
key finds the outermost keys of which it is a part: `ema` finds `model_ema` and `state_dict_ema`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from fnmatch import translate

from keng._util.texts import sentence
from keng.ckpt.nodes import Dict, Tensor
from keng.ckpt.summary import optimizer_of
from keng.ckpt.tree import dotted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    from keng.model import Message

    Rename: TypeAlias = "Callable[[str], str]"
    Chosen: TypeAlias = "Callable[[str, str], bool]"
    """Whether an entry is meant, by its dotted name and its key."""

DEPTH = 12
"""Keys from the root to a dict whose entries are read."""
MOST = 1_000_000
"""Entries: a file may be made to have 2**60."""
LISTED = 12
"""Keys that are named where one is not found."""
WILD = set("*?[")


class NotFound(ValueError):  # noqa: N818
    """A pattern, prefix or name that nothing in the file has."""


def dropped(root: Any, patterns: Iterable[str]) -> Any:
    """The tree without what the patterns name. Raises NotFound and ValueError."""
    chosen = [_chosen(root, pattern) for pattern in patterns]
    return _Pass(lambda name, key: not any(each(name, key) for each in chosen)).without(root)


def kept(root: Any, patterns: Iterable[str]) -> Any:
    """Of the tree what the patterns name, and what that lies in. Raises NotFound and ValueError."""
    chosen = [_chosen(root, pattern) for pattern in patterns]
    return _Pass(lambda name, key: any(each(name, key) for each in chosen)).only(root)


def _chosen(root: Any, pattern: str) -> Chosen:
    matches = re.compile(translate(pattern)).match

    def chosen(name: str, key: str) -> bool:
        return bool(matches(name) or matches(key))

    if _Pass(chosen).finds(root):
        return chosen
    found = {} if WILD & set(pattern) else dict.fromkeys(keys_with(root, pattern))
    if not found:
        raise NotFound(sentence("nothing_named_has", name=pattern, has=held_by(root)))
    return lambda name, key: name in found


def keys_with(root: Any, word: str) -> list[str]:
    """The outermost keys of which a word is a part between underscores."""
    names = root.names if isinstance(root, Dict) else {}
    return [name for name in names if word in re.split(r"[_\-.]", name)]


def held_by(root: Any) -> Message:
    """The outermost keys in words."""
    return held(list(root.names) if isinstance(root, Dict) else [])


def held(keys: Sequence[str]) -> Message:
    """That a file has these keys, the first of them by name."""
    if not keys:
        return sentence("file_has_no_names")
    names, more = ", ".join(f"`{key[:80]}`" for key in keys[:LISTED]), len(keys) - LISTED
    return sentence("file_has_more" if more > 0 else "file_has", names=names, n=more)


class _Pass:
    """One walk over the dicts of a tree. Raises ValueError where they have too many entries."""

    def __init__(self, chosen: Chosen) -> None:
        self.chosen = chosen
        self._seen = 0

    def _entries(self, node: Dict, path: tuple[Any, ...]) -> Iterable[tuple[Any, Any, bool]]:
        for key, value in node.pairs:
            self._seen += 1
            if self._seen > MOST:
                raise ValueError(sentence("too_many_entries", most=MOST))
            yield key, value, self.chosen(dotted((*path, key)), str(key))

    def finds(self, node: Any, path: tuple[Any, ...] = ()) -> bool:
        return _opens(node, path) and any(
            chosen or self.finds(value, (*path, key))
            for key, value, chosen in self._entries(node, path)
        )

    def without(self, node: Any, path: tuple[Any, ...] = ()) -> Any:
        if not _opens(node, path):
            return node
        pairs = [
            (key, self.without(value, (*path, key)))
            for key, value, stays in self._entries(node, path)
            if stays
        ]
        return Dict(node.kind, pairs, node.state)

    def only(self, node: Any, path: tuple[Any, ...] = ()) -> Any:
        """An empty dict where nothing of it is meant."""
        if not _opens(node, path):
            return Dict()
        pairs = []
        for key, value, chosen in self._entries(node, path):
            made = value if chosen else self.only(value, (*path, key))
            if chosen or made.pairs:
                pairs.append((key, made))
        return Dict(node.kind, pairs, node.state)


def _opens(node: Any, path: tuple[Any, ...]) -> bool:
    return isinstance(node, Dict) and len(path) <= DEPTH


def renamed(root: Any, rename: Rename, what: str) -> Any:
    """The tree with other names of tensors and of what they lie in; the state of an optimizer stays as it is.
    Raises NotFound where no name changes, ValueError where two become one."""
    changed = [False]
    made = _renamed(root, rename, changed, 0)
    if not changed[0]:
        has = held_by(_names_of_tensors(root))
        raise NotFound(sentence("changes_no_name", what=what, has=has))
    return made


def _renamed(node: Any, rename: Rename, changed: list[bool], depth: int) -> Any:
    if not isinstance(node, Dict) or depth > DEPTH or optimizer_of(node) is not None:
        return node
    pairs = []
    for key, value in node.pairs:
        named = rename(key) if isinstance(key, str) else key
        changed[0] |= named != key
        if named == "":
            raise ValueError(sentence("would_lose_name", key=key))
        pairs.append((named, _renamed(value, rename, changed, depth + 1)))
    names = [key for key, _ in pairs]
    if len(set(map(str, names))) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(sentence("named_twice", name=twice))
    return Dict(node.kind, pairs, _metadata(node.state, rename))


def _metadata(state: Any, rename: Rename) -> Any:
    """What a state dict notes of each module, by the module's new name."""
    noted = state.get("_metadata") if isinstance(state, Dict) else None
    if not isinstance(noted, Dict):
        return state
    pairs = [(rename(f"{k}.").removesuffix(".") if k else k, v) for k, v in noted.names.items()]
    return Dict(state.kind, [("_metadata", Dict(noted.kind, pairs, noted.state))])


def _names_of_tensors(root: Any) -> Any:
    """The first dict that holds tensors."""
    while isinstance(root, Dict) and not any(isinstance(v, Tensor) for _, v in root.pairs):
        inner = [value for _, value in root.pairs if isinstance(value, Dict)]
        if not inner:
            return root
        root = inner[0]
    return root


def stripping(prefix: str) -> Rename:
    front = prefix.removesuffix(".") + "."
    return lambda name: name.removeprefix(front)


def renaming(text: str) -> Rename:
    """Of "A=B": a part A of a name, which is whole between dots, becomes B. Raises ValueError."""
    old, equals, new = text.partition("=")
    if not equals or not old:
        raise ValueError(sentence("text_not_the_form", text=text, form="OLD=NEW"))
    pattern = re.compile(rf"(?<![^.]){re.escape(old)}(?![^.])")
    return lambda name: re.sub(r"\.\.+", ".", pattern.sub(lambda _: new, name)).strip(".")


def replacing(text: str) -> Rename:
    r"""Of "REGEX=NEW": what the regular expression finds becomes NEW, in which \1 is the first group. Raises
    ValueError."""
    old, equals, new = text.partition("=")
    if not equals or not old:
        raise ValueError(sentence("text_not_the_form", text=text, form="REGEX=NEW"))
    try:
        pattern = re.compile(old)
        pattern.sub(new, "")
    except (re.error, IndexError) as error:
        raise ValueError(sentence("not_a_regex", text=old, error=str(error))) from None
    return lambda name: pattern.sub(new, name)


def with_part(state: Dict, prefix: str, part: Mapping[str, Tensor]) -> tuple[Dict, int]:
    """A state dict whose tensors under a prefix are those of another file, which may have the prefix or not;
    and how many of them the other file lacks, which stay. Raises NotFound and ValueError."""
    front = prefix.removesuffix(".") + "."
    own = {key: t for key, t in state.names.items() if key.startswith(front)}
    if not own:
        raise NotFound(sentence("nothing_under", key=prefix, has=held_by(state)))
    has_prefix = any(name.startswith(front) for name in part)
    named = {
        name if has_prefix else front + name: tensor
        for name, tensor in part.items()
        if not has_prefix or name.startswith(front)
    }
    for name, tensor in named.items():
        if name not in own:
            other = name.removeprefix(front)
            raise ValueError(sentence("part_has_more", name=other, part=prefix))
        if own[name].shape != tensor.shape:
            mine, theirs = list(own[name].shape), list(tensor.shape)
            raise ValueError(sentence("part_shapes_differ", name=name, one=mine, other=theirs))
    pairs = [(key, named.get(key, value)) for key, value in state.pairs]
    return Dict(state.kind, pairs, state.state), len(own) - len(named)
