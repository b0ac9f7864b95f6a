"""A checkpoint as a whole: what is in it, what is wrong with it, and its bytes."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from functools import cached_property

from keng.ckpt.nodes import Dict, Global, Opaque, Path, Place, Storage, Tensor
from keng.ckpt.places import is_address, open_raw
from keng.ckpt.tree import DEEPEST, MEMBERS, storages_of, walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal

    from keng.ckpt.aliases import Format, Kind, Word
    from keng.model import Hit
    from keng.model import Value as Plain


FACTS = ("broken", "refused", "modules", "uncounted", "emptied", "texts_of_python_2", "stats")
"""What `Pitfall.inspects` may name, beside what is for `--suspicious` alone."""


class Call:
    """What would be called when the file is loaded, with which arguments, by the pickle at `file`."""

    __slots__ = ("args", "file", "name")

    def __init__(self, name: Global, args: Any, file: str) -> None:
        self.name, self.args, self.file = name, args, file


class Trouble:
    """What is wrong with a file. broken: it cannot be read as it should, or not all of it. trick: no
    honest writer makes it so; readers may see different things in it. note: worth knowing."""

    __slots__ = ("file", "kind", "says")

    def __init__(self, kind: Kind, says: str, file: str = "") -> None:
        self.kind, self.says, self.file = kind, says, file


class Stats:
    """The values of a tensor: how many are NaN and infinite, and of the others the least, the greatest,
    the mean and the 2-norm. `channels` holds the mean absolute value of each output channel of a
    convolution's weight (three dimensions or more)."""

    __slots__ = ("channels", "greatest", "inf", "least", "mean", "nan", "norm")

    def __init__(
        self,
        nan: int,
        inf: int,
        least: float,
        greatest: float,
        mean: float,
        norm: float,
        channels: tuple[float, ...] = (),
    ) -> None:
        self.nan, self.inf, self.least, self.greatest = nan, inf, least, greatest
        self.mean, self.norm, self.channels = mean, norm, channels


class Checkpoint:
    """A file or folder as read. `root` is None where nothing could be read; `imports` tells how often
    each name is imported, `calls` the first calls of those names that are not known to be inert,
    `refused` the names that torch.load takes only with weights_only=False. `facts` are what the
    container tells: versions. `metadata` are the texts of a safetensors header. `coverage` counts the
    bytes of the file by what they are: of headers, pickles, tensors, texts, padding, or unread. `stats` is
    empty where nobody asked for the values to be read. What is not empty of its properties decides
    which units are asked (`Pitfall.inspects`)."""

    def __init__(
        self,
        path: str,
        format: Format,
        root: Any,
        files: tuple[str, ...] = (),
        nbytes: int = 0,
        imports: Mapping[Global, int] | None = None,
        calls: tuple[Call, ...] = (),
        troubles: tuple[Trouble, ...] = (),
        facts: Mapping[str, str] | None = None,
        refused: tuple[Global, ...] = (),
        coverage: Mapping[str, int] | None = None,
        metadata: Mapping[str, str] | None = None,
    ) -> None:
        self.coverage, self.metadata = coverage or {}, metadata or {}
        self.path, self.format, self.root = path, format, root
        self.files, self.nbytes = files, nbytes
        self.imports, self.calls, self.refused = imports or {}, calls, refused
        self.troubles, self.facts = troubles, facts or {}
        self.stats: Mapping[Path, Stats] = {}

    def having(self, root: Any) -> Checkpoint:
        """The same file with another tree."""
        return Checkpoint(
            self.path,
            self.format,
            root,
            self.files,
            self.nbytes,
            self.imports,
            self.calls,
            self.troubles,
            self.facts,
            self.refused,
            self.coverage,
            self.metadata,
        )

    @property
    def is_remote(self) -> bool:
        """Whether reading the values of its tensors means downloading them."""
        return is_address(self.path)

    @property
    def byteorder(self) -> Literal["little", "big"]:
        return "big" if self.facts.get("byteorder") == "big" else "little"

    @property
    def broken(self) -> list[str]:
        return self.told("broken")

    def told(self, kind: str) -> list[str]:
        """What the troubles of one kind say."""
        return [trouble.says for trouble in self.troubles if trouble.kind == kind]

    @property
    def texts_of_python_2(self) -> bool:
        """Texts that Python 2 wrote without an encoding."""
        return bool(self.facts.get("python2_text"))

    def hit(self, says: str, sure: bool = True, **evidence: Plain) -> Hit:
        from keng.model import Hit, Span

        return Hit(says, Span(self.path, 1), evidence, sure=sure)

    @property
    def noticed(self) -> list[str]:
        """Which of its facts, those that units of the surer kind inspect, are not empty."""
        return [fact for fact in FACTS if getattr(self, fact)]

    @cached_property
    def walked(self) -> list[tuple[Path, Any]]:
        """Every node, but for what is in plain lists."""
        return list(walk(self.root, plain=False))

    @cached_property
    def _nodes(self) -> list[tuple[Path, Any]]:
        """What holds something, and is no plain list; and what is too deep to be looked into."""
        kinds = (Dict, Opaque, Tensor, Storage)
        return [
            pair for pair in self.walked if isinstance(pair[1], kinds) or len(pair[0]) >= DEEPEST
        ]

    @property
    def too_deep(self) -> bool:
        """Whether it is nested so deep that not everything was checked."""
        return any(len(path) >= DEEPEST for path, _ in self._nodes)

    @cached_property
    def tensors(self) -> dict[Path, Tensor]:
        """Every tensor by its first path, in the order of the file."""
        return {path: node for path, node in self._nodes if isinstance(node, Tensor)}

    @cached_property
    def storages(self) -> list[Storage]:
        """Every storage once, in the order of the file; those of parts as well."""
        found: dict[int, Storage] = {}
        for _, node in self._nodes:
            if isinstance(node, Tensor) and not node.parts:
                found[id(node.storage)] = node.storage
            elif isinstance(node, Tensor | Storage):
                found |= {id(storage): storage for storage in storages_of(node)}
        return list(found.values())

    @cached_property
    def modules(self) -> list[tuple[Path, Opaque]]:
        """The modules that are pickled as objects, those within others left out."""
        found: list[tuple[Path, Opaque]] = []
        for path, node in self._nodes:
            if found and path[: len(found[-1][0])] == found[-1][0]:
                continue
            state = node.state if isinstance(node, Opaque) else None
            if isinstance(state, Dict) and set(MEMBERS) <= set(state.names):
                found.append((path, node))
        return found

    @cached_property
    def dicts(self) -> list[tuple[Path, Dict]]:
        return [(path, node) for path, node in self._nodes if isinstance(node, Dict)]

    @cached_property
    def state_dicts(self) -> list[tuple[Path, Dict, dict[str, int]]]:
        """The state dicts that note the version of each module, with these by the module's name."""
        return [
            (path, node, _versions(noted)) for path, node in self.dicts if (noted := _noted(node))
        ]

    @cached_property
    def uncounted(self) -> list[list[str]]:
        """The batch norms without their counter, of each state dict whose versions say that it has them."""
        found = []
        for _, entries, versions in self.state_dicts:
            norms = {
                key.removesuffix(".running_mean") for key in entries.names if key.endswith("_mean")
            }
            counted = (name for name in norms if versions.get(name, 0) >= 2)  # 2: with the counter
            lost = sorted(n for n in counted if f"{n}.num_batches_tracked" not in entries.names)
            found += [lost] if lost else []
        return found

    @cached_property
    def emptied(self) -> list[list[Path]]:
        """The tensors without a number, of each state dict that is mostly such; a buffer may be by right."""
        found = []
        for path, entries, _ in self.state_dicts:
            tensors = {n: each for n, each in entries.names.items() if isinstance(each, Tensor)}
            empty = [(*path, name) for name, each in tensors.items() if each.shape == (0,)]
            found += [empty] if 2 * len(empty) > len(tensors) else []
        return found

    def window(self, storage: Storage, start: int = 0, stop: int | None = None) -> bytes:
        """Bytes `start:stop` of a storage, read now and not kept. Raises OSError where the file cannot
        be read, ValueError where it lacks them."""
        stop = storage.nbytes if stop is None else stop
        if storage.inline is not None:
            found = storage.inline[start:stop]
        elif storage.place is None:
            raise ValueError(f"the bytes of storage {storage.key} are not in the file")
        else:
            found = _read(storage.place, start, min(stop, storage.place.nbytes))
        if len(found) != max(0, stop - start):
            raise ValueError(f"storage {storage.key} has {len(found)} of {stop - start} bytes")
        return found


class Verdict:
    """What may be said of a file before it is loaded. Nothing is "clean": KNOWN says that every name
    it imports is known to be inert, and that all readers of it see the same.

    `dangerous` and `unknown` are names, `calls` what would be done with them, `tricks` and `broken`
    what is wrong with the file, in words. `coverage` counts its bytes by what they are.
    """

    __slots__ = ("broken", "calls", "coverage", "dangerous", "tricks", "unknown", "word")

    def __init__(
        self,
        word: Word,
        dangerous: tuple[Global, ...],
        unknown: tuple[Global, ...],
        calls: tuple[Call, ...],
        tricks: tuple[str, ...],
        broken: tuple[str, ...],
        coverage: Mapping[str, int],
    ) -> None:
        self.coverage = coverage
        self.word, self.dangerous, self.unknown, self.calls = word, dangerous, unknown, calls
        self.tricks, self.broken = tricks, broken


def _noted(node: Dict) -> Dict | None:
    """A state dict's `_metadata`."""
    noted = node.state.get("_metadata") if isinstance(node.state, Dict) else None
    return noted if isinstance(noted, Dict) else None


def _versions(noted: Dict) -> dict[str, int]:
    entries = {name: each for name, each in noted.names.items() if isinstance(each, Dict)}
    versions = {name: each.get("version") for name, each in entries.items()}
    return {name: version for name, version in versions.items() if isinstance(version, int)}


def _read(place: Place, start: int, stop: int) -> bytes:
    with open_raw(place.file) as file:
        if place.packed is None:
            file.seek(place.start + start)
            return _exactly(file, max(0, stop - start))
        file.seek(place.start)
        packed = _exactly(file, place.packed)
    whole = zlib.decompressobj(-zlib.MAX_WBITS).decompress(packed, max(stop, 1))
    return whole[start:stop]


def _exactly(file: Any, count: int) -> bytes:
    """A raw file may give less than it is asked for; it gives nothing only at its end."""
    pieces = []
    while count and (piece := file.read(count)):
        pieces.append(piece)
        count -= len(piece)
    return b"".join(pieces) if len(pieces) != 1 else pieces[0]
