"""Checkpoints of several files: shards named by an index, torch.distributed.checkpoint, DeepSpeed.

Each reader gives the root of the tree, and raises ledger.Broken where there is none.
"""

from __future__ import annotations

import json
import math
import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterator

from keng._util.texts import why
from keng.ckpt.files import Files
from keng.ckpt.formats import detect
from keng.ckpt.formats.content import content
from keng.ckpt.nodes import SIZES, Dict, Global, Opaque, Part, Storage, Tensor, steps
from keng.ckpt.pickle.budget import Broken
from keng.ckpt.pickle.machine import Machine
from keng.ckpt.places import exists, names_in
from keng.ckpt.tree import dotted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keng.ckpt.aliases import Format

METADATA = ".metadata"
PIECE = ".distcp"
SHARD = 1000
"""Units of work (`ledger.WORK`)."""
SINGLE = (
    "model.safetensors",
    "pytorch_model.bin",
    "adapter_model.safetensors",
    "adapter_model.bin",
)

SHARD_OF_RANK = r"shard-\d+-model-\d+-of-\d+\.safetensors"
SHARD_OF = (
    r"(?P<stem>.+)-(?P<number>\d{1,6})-of-(?P<count>\d{1,6})(?P<end>\.(?:safetensors|bin|pt|pth))"
)
MOST_SHARDS = 100_000
SHARDING = "DCP_SHARDING_INFO"
"""Where in the metadata of a safetensors file it is told of which tensors it holds what piece."""
ENDS = (".pt", ".pth", ".bin", ".ckpt", ".safetensors")


def read(folder: str, files: Files) -> tuple[Format, Any]:
    """What a folder holds. Raises OSError and Broken."""
    names = names_in(folder)
    if METADATA in names:
        return "dcp", Distributed(folder, files).read()
    indexes = [name for name in names if name.endswith(".index.json")]
    if indexes:
        best = min(indexes, key=lambda name: ("safetensors" not in name, name))
        return "sharded", sharded(os.path.join(folder, best), files)
    if pieces := [name for name in names if re.fullmatch(SHARD_OF_RANK, name)]:
        return "sharded", Pieces(folder, files).read(pieces)
    if states := [
        name for name in names if name.endswith(("_model_states.pt", "_optim_states.pt"))
    ]:
        return "zero", together(folder, states, files)
    if "sharded" in names:  # of HuggingFaceStorageWriter, which was to put them together
        return read(os.path.join(folder, "sharded"), files)
    if "latest" in names and (tag := _latest(folder, files)):
        return read(os.path.join(folder, tag), files)
    for name in SINGLE:
        if name in names:
            return files.content(os.path.join(folder, name))
    if any(name.endswith(PIECE) for name in names):
        raise Broken("it has no .metadata, which is written last: the saving was broken off")
    if shards := _numbered(names):
        return "sharded", _united(folder, shards, files)
    if inner := _below(folder, names):
        return read(os.path.join(folder, inner), files)
    alone = [name for name in names if name.endswith(ENDS)]
    if alone:
        raise Broken(
            f"{len(alone)} files lie in this folder, and no index: name one, as {alone[0]}"
        )
    raise Broken("no checkpoint that keng knows lies in this folder: name a file")


def _numbered(names: list[str]) -> list[str]:
    """Shards that say how many they are, as model-00001-of-00002.safetensors, where there are no others."""
    found = {name: match for name in names if (match := re.fullmatch(SHARD_OF, name))}
    stems = {(match["stem"], match["count"], match["end"]) for match in found.values()}
    return list(found) if len(stems) == 1 else []


def _united(folder: str, shards: list[str], files: Files) -> Dict:
    """The entries of all shards, in the order of their numbers."""
    root, seen = Dict(), set[str]()
    match = re.fullmatch(SHARD_OF, shards[0])
    count = int(match["count"]) if match else 0
    numbers = {int(found["number"]) for s in shards if (found := re.fullmatch(SHARD_OF, s))}
    if missing := sorted(set(range(1, min(count, MOST_SHARDS) + 1)) - numbers):
        says = f"of {count} shards these are missing: {', '.join(map(str, missing[:10]))}"
        files.ledger.broken(says, folder)
    for name in shards:
        inner = files.content(os.path.join(folder, name))[1]
        for key, value in inner.pairs if isinstance(inner, Dict) else ():
            if str(key) in seen:
                files.ledger.trick(f"`{key}` is in several shards", folder)
            seen.add(str(key))
            root.pairs.append((key, value))
    files.ledger.note("there is no index: all entries of all shards are taken", folder)
    return root


def _below(folder: str, names: list[str]) -> str:
    """The model of a folder of Accelerate, which has those of FSDP for the model and for the optimizer."""
    there = [name for name in names if exists(os.path.join(folder, name, METADATA))]
    models = [name for name in there if re.fullmatch(r"pytorch_model_fsdp_\d+|model", name)]
    if len(models) > 1 or (there and not models):
        raise Broken(f"several checkpoints lie in this folder: name one, as {there[0]}")
    return models[0] if models else ""


def _latest(folder: str, files: Files) -> str:
    """The folder of DeepSpeed's last checkpoint."""
    with files.opened(os.path.join(folder, "latest")) as source:
        tag = source.read(0, 256).decode("utf-8", "replace").strip()
    return tag if tag and os.path.basename(tag) == tag and tag not in (".", "..") else ""


def together(folder: str, names: list[str], files: Files) -> Dict:
    """Each file's root, under the file's name."""
    return Dict(pairs=[(name, files.content(os.path.join(folder, name))[1]) for name in names])


def sharded(path: str, files: Files) -> Dict:
    """The entries of all shards together, in the order of the index."""
    weights = _weight_map(path, files)
    folder = os.path.dirname(path)
    shards: dict[str, dict[str, Any]] = {}
    for name, count in Counter(weights.values()).items():
        found = _shard(os.path.join(folder, name), count, files)
        if found is not None:
            shards[name] = found
    root = Dict()
    for key, name in weights.items():
        if key in shards.get(name, ()):
            root.pairs.append((key, shards[name].pop(key)))
        elif name in shards:
            files.ledger.broken(f"`{key}` is not in {name}, where the index has it", path)
    for name, left in shards.items():
        if left:
            files.ledger.note(f"{name} holds {len(left)} entries that the index lacks", path)
    return root


def _weight_map(path: str, files: Files) -> dict[str, str]:
    with files.opened(path) as source:
        text = source.whole(0, source.size)
    try:
        weights = json.loads(str(text, "utf-8"))["weight_map"]
        good = {str(key): str(name) for key, name in weights.items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise Broken("an index without a weight_map") from None
    for name in set(good.values()):
        if os.path.basename(name) != name:
            raise Broken(f"the index names a file outside of its folder: {name[:200]}")
    return good


def _shard(path: str, count: int, files: Files) -> dict[str, Any] | None:
    """None where it is not there, and with it `count` entries."""
    try:
        root = files.content(path)[1]
    except OSError as error:
        files.ledger.spend(SHARD)
        entries = "1 entry" if count == 1 else f"{count} entries"
        says = f"the shard {os.path.basename(path)} is missing, with {entries}: {why(error)}"
        files.ledger.broken(says, path)
        return None
    return root.names if isinstance(root, Dict) else {}


class Pieces:
    """torch.distributed.checkpoint's HuggingFaceStorageWriter: a safetensors file of each rank, whose
    metadata tells where in the tensors its pieces begin."""

    def __init__(self, folder: str, files: Files) -> None:
        self.folder, self.files = folder, files

    def read(self, names: list[str]) -> Dict:
        parts: dict[str, list[Part]] = defaultdict(list)
        for name in names:
            root = self.files.content(os.path.join(self.folder, name))[1]
            starts = self._starts(self.files.ledger.facts.pop(SHARDING, "{}"))
            for key, tensor in root.pairs if isinstance(root, Dict) else ():
                start = starts.get(key, (0,) * len(tensor.shape))
                if len(start) == len(tensor.shape):
                    parts[key].append(Part(start, tensor))
        return Dict(pairs=[(key, self._whole(key, found)) for key, found in parts.items()])

    def _starts(self, text: str) -> dict[str, tuple[int, ...]]:
        try:
            told = json.loads(text).items()
            starts = {key: _offsets(tuple(each["saved_offsets"])) for key, each in told}
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise Broken(f"no {SHARDING} as torch.distributed.checkpoint writes it") from None
        return {key: start for key, start in starts.items() if start is not None}

    def _whole(self, key: str, parts: list[Part]) -> Tensor:
        """Every rank may have all of it, and nobody tells its shape: that of what is there."""
        parts = list({part.start: part for part in parts}.values())
        ends = ([n + size for n, size in zip(p.start, p.tensor.shape, strict=True)] for p in parts)
        shape = tuple(map(max, zip(*ends, strict=True)))
        if len(parts) == 1 and parts[0].tensor.shape == shape:
            return parts[0].tensor
        if sum(part.tensor.numel for part in parts) != math.prod(shape):
            self.files.ledger.broken(f"pieces of `{key}` are missing", self.folder)
        return _assembled(key, None, shape, tuple(parts))


class Distributed:
    """torch.distributed.checkpoint: `.metadata`, a pickle, tells for every entry in which file and at
    which byte each piece of it lies, as a torch.save of its own."""

    def __init__(self, folder: str, files: Files) -> None:
        self.folder, self.files = folder, files
        self.places: dict[tuple[str, tuple[int, ...] | None], dict[str, Any]] = {}
        self.together: dict[tuple[str, int], Any] = {}

    def read(self) -> Dict:
        path = os.path.join(self.folder, METADATA)
        with self.files.opened(path) as source:
            data = source.whole(0, source.size)
        metadata = _fields(Machine(data, self.files.ledger, path).run())
        entries, places = metadata.get("state_dict_metadata"), metadata.get("storage_data")
        if not isinstance(entries, Dict) or not isinstance(places, Dict):
            raise Broken("the .metadata is not as torch.distributed.checkpoint writes it")
        for index, info in places.pairs:
            fields = _fields(index)
            self.places[str(fields.get("fqn")), _offsets(fields.get("offset"))] = _fields(info)
        paths = metadata.get("planner_data")
        names = paths.names if isinstance(paths, Dict) else {}
        root = Dict()
        for name, described in entries.names.items():
            _put(root, names.get(name), name, self._entry(name, described))
        return root

    def _entry(self, name: str, described: Any) -> Any:
        fields = _fields(described)
        chunks = fields.get("chunks")
        if not isinstance(chunks, list):
            return self._content(name, None)
        parts = list(self._parts(name, chunks))
        shape = _offsets(fields.get("size"))
        if len(parts) == 1 and parts[0].tensor.shape == shape:
            return parts[0].tensor
        return _assembled(name, fields.get("properties"), shape or (), tuple(parts))

    def _parts(self, name: str, chunks: list[Any]) -> Iterator[Part]:
        for chunk in chunks:
            start = _offsets(_fields(chunk).get("offsets")) or ()
            tensor = self._content(name, start)
            if isinstance(tensor, Tensor) and len(tensor.shape) == len(start):
                yield Part(start, tensor)
            elif isinstance(tensor, Tensor):
                self.files.ledger.broken(f"a piece of `{name}` has another shape than is said")

    def _content(self, name: str, start: tuple[int, ...] | None) -> Any:
        place = self.places.get((name, start)) or self.places.get((name, None))
        file, begin, count = (place or {}).get("relative_path"), *_stretch(place)
        if not isinstance(file, str) or os.path.basename(file) != file or count < 0:
            self.files.ledger.broken(f"`{name}` has no place in the .metadata", self.folder)
            return None
        path = os.path.join(self.folder, file)
        try:
            inside = self._together(path, begin)
            return self.files.content(path, begin, count)[1] if inside is None else inside.get(name)
        except OSError:
            self.files.ledger.broken(f"{file}, which holds `{name}`, is missing", self.folder)
            return None

    def _together(self, path: str, begin: int) -> Any:
        """What a safetensors file within a file holds, which is all that is behind its beginning, whatever
        length the .metadata gives for each of its tensors; None where there is none."""
        with self.files.opened(path) as source:
            rest = source.part(begin, source.size - begin)
            if (path, begin) not in self.together and detect.is_safetensors(rest):
                self.together[path, begin] = content(rest, self.files.ledger)[1]
                self.files.ledger.facts.pop(SHARDING, None)
        return self.together.get((path, begin))


def _stretch(place: dict[str, Any] | None) -> tuple[int, int]:
    begin, count = (place or {}).get("offset"), (place or {}).get("length")
    return (begin, count) if isinstance(begin, int) and isinstance(count, int) else (0, 0)


def _fields(value: Any) -> dict[str, Any]:
    """The attributes of an object."""
    state = value.state if isinstance(value, Opaque) else None
    return state.names if isinstance(state, Dict) else {}


def _offsets(value: Any) -> tuple[int, ...] | None:
    good = isinstance(value, tuple) and all(isinstance(size, int) and size >= 0 for size in value)
    return value if good else None


def _assembled(
    name: str, properties: Any, shape: tuple[int, ...], parts: tuple[Part, ...]
) -> Tensor:
    state = properties.state if isinstance(properties, Opaque) else None
    named = state[0] if isinstance(state, tuple) and state else None
    dtype = named.name if isinstance(named, Global) else parts[0].tensor.dtype if parts else "?"
    storage = Storage(name, dtype, math.prod(shape) * SIZES.get(dtype, 1))
    return Tensor(dtype, shape, steps(shape), 0, storage, parts=parts)


def _put(root: Dict, path: Any, name: str, value: Any) -> None:
    """At the path that the names were flattened from, or else under the flat name."""
    if not isinstance(path, tuple) or not path or dotted(path) != name:
        path = (name,)
    for key in path[:-1]:
        inner = root.get(key)
        if not isinstance(inner, Dict):
            inner = Dict()
            root.pairs.append((key, inner))
        root = inner
    root.pairs.append((path[-1], value))
